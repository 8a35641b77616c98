// @ts-check
/** The trick on the table, and the last one. */

import { face } from "./cards.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";

/** @typedef {import("./store.js").View} View */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {{ leader: number, plays: { seat: number, card: string }[], winner?: number,
 *   thirds?: number }} Trick */

/** Where a seat sits as `you` sees the table: the next one to the right.
 * @param {number} seat @param {number} you */
export function place(seat, you) {
  return /** @type {const} */ (["me", "right", "left"])[(seat - you + 3) % 3] ?? "me";
}

/** The trick that is on the table; a finished one stays until the next card.
 * @param {Pick<View, "trick" | "tricks">} view @returns {Trick | null} */
export function onTable({ trick, tricks }) {
  return trick?.plays.length === 3 ? (tricks.at(-1) ?? trick) : trick;
}

/** @param {Trick} trick @param {number} you @param {Words} words */
export function cardsOf({ plays, winner }, you, words) {
  return html`<ol class="trick">
    ${repeat(
      plays,
      ({ card }) => card,
      ({ seat, card }) => html`<li
        class="played" data-place=${place(seat, you)} ?data-won=${seat === winner}>
        <span class="card ${seat === winner ? "won" : ""}">${face(card, words.deck, words.lang)}
          <span class="card-word">${words.cardName(card)}</span></span>
        <span class="by">${words.who(seat)}${seat === winner ? html` <b class="mark">★</b>` : nothing}</span>
      </li>`,
    )}
  </ol>`;
}

/** Who took it, in a sentence. @param {Trick} trick @param {Words} words */
export function taken({ winner, thirds = 0 }, words) {
  if (winner === undefined) return nothing;
  const told = { who: words.seat(winner), thirds: words.amount("third", thirds) };
  return html`<p class="taken">${words.t(winner === words.you ? "takes_you" : "takes", told)}</p>`;
}

/** @param {View} view @param {Words} words */
export function theTrick(view, words) {
  const trick = onTable(view);
  if (!trick) return nothing;
  return html`<section class="felt" aria-label=${words.t("on_table")}>
    ${trick.plays.length ? cardsOf(trick, view.you.seat, words) : html`<p class="quiet">${words.t("nothing_led")}</p>`}
    ${taken(trick, words)}
  </section>`;
}

/** @param {View} view @param {Words} words */
export function lastTrick(view, words) {
  const trick = view.tricks.at(-1);
  if (!trick) return html`<p>${words.t("no_trick")}</p>`;
  return html`${cardsOf(trick, view.you.seat, words)} ${taken(trick, words)}`;
}
