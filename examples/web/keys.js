// @ts-check
/** The keyboard: along the hand with arrows, a card by its place, and letters. */

import { pick } from "./choose.js";
import { inOrder, spotOf } from "./hand.js";
import { change, changeSitting, state } from "./store.js";

/** @typedef {import("./store.js").Dialog} Dialog */

const PLACES = "1234567890-=";
/** @type {Record<string, Dialog>} */
const LETTERS = { l: "last", s: "scores", h: "help", "?": "help" };

/** @param {KeyboardEvent} pressed */
export function key(pressed) {
  const { target, key, ctrlKey, altKey, metaKey } = pressed;
  if (ctrlKey || altKey || metaKey || state.dialog) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  if (target instanceof HTMLElement && target.closest(".hand .cards") && along(key))
    pressed.preventDefault();
  else if (state.settings.keys === "on" && single(key)) pressed.preventDefault();
}

/** @param {string} key */
function along(key) {
  const { sitting } = state;
  const view = sitting?.view;
  if (!sitting || !view) return false;
  const cards = inOrder(view);
  const at = cards.indexOf(spotOf(sitting, view) ?? "");
  /** @type {Record<string, number>} */
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cards.length - 1 };
  const card = cards[((to[key] ?? NaN) + cards.length) % cards.length];
  if (card === undefined) return false;
  changeSitting({ spot: card, look: card });
  focusCard(card);
  return true;
}

/** @param {string} key */
function single(key) {
  const letter = LETTERS[key.toLowerCase()];
  const view = state.sitting?.view;
  if (letter && (view || letter === "help")) {
    change({ dialog: letter });
    return true;
  }
  const card = view && inOrder(view)[PLACES.indexOf(key)];
  if (!card) return false;
  focusCard(card);
  pick(card);
  return true;
}

/** @param {string} card */
function focusCard(card) {
  const button = document.querySelector(`.hand [data-card="${card}"]`);
  if (button instanceof HTMLElement) button.focus();
}
