// @ts-check
/** The faces of the cards. */

import { html } from "./vendor/lit-html/lit-html.js";

const SUITS = "SHCD";
const RANKS = "32AKQJ7654";

/** By suit, then from the highest rank down. @param {readonly string[]} cards */
export function sorted(cards) {
  const place = (/** @type {string} */ card) =>
    SUITS.indexOf(card[1] ?? "") * 10 + RANKS.indexOf(card[0] ?? "");
  return [...cards].sort((one, other) => place(one) - place(other));
}

/** @param {string} card @param {"french" | "italian"} deck @param {"en" | "it"} lang */
export function face(card, deck, lang) {
  return html`<span class="face" aria-hidden="true" data-suit=${card[1] ?? ""}>${card}</span>`;
}

export function back() {
  return html`<span class="face back" aria-hidden="true"></span>`;
}
