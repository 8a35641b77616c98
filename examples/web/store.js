// @ts-check
/** The one state of the page, and how it changes; screens are functions of it. */

import { kept } from "./settings.js";

/** @typedef {import("../../clients/typescript/client.js").View} View */
/** @typedef {import("../../clients/typescript/client.js").Seat} Seat */
/** @typedef {import("../../clients/typescript/client.js").State} LineState */
/** @typedef {import("../../clients/typescript/api.js").components["schemas"]} Schemas */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./seats.js").Kept} Kept */
/**
 * Where the address's fragment leads.
 * @typedef {{ name: "doors" } | { name: "rules" } | { name: "sample" }
 *   | { name: "join", table: string, invite: string }
 *   | { name: "table", table: string }
 *   | { name: "watch", table: string, deal: number }} Route
 */
/**
 * A refusal or a fault as a sentence; `again` tries once more.
 * @typedef {{ code: string, text: string, again?: () => void }} Notice
 */
/**
 * What has been chosen and not confirmed yet, for the decision that is due.
 * @typedef {object} Draft
 * @property {string} decision
 * @property {"pass" | "chiamo" | "solo" | "solissimo" | null} bid
 * @property {string | null} card to call or to play
 * @property {string[]} lay cards to lay face down
 * @property {string | null} back the card to give back
 * @property {boolean} over one more than may be laid was chosen: it is said why it was not
 */
/** @typedef {{ key: string, text: string }} Line one line of the log */
/**
 * The table that this page sits at.
 * @typedef {object} Sitting
 * @property {Kept} seat
 * @property {Seat} line the connection
 * @property {LineState} state how it stands
 * @property {number} retry_at when it is tried again, in ms of this clock
 * @property {View | null} view the newest
 * @property {Line[]} log what has happened, the newest last
 * @property {Record<number, number>} away since when a seat is away, in ms
 * @property {boolean} back the line is there again; it is told for a while
 * @property {boolean} slow what was sent has been under way for so long that it is told
 * @property {number | null} busy the `seq` that an answer of yours became, not seen yet;
 *   0 while it is under way
 * @property {Draft} draft
 * @property {string | null} spot the card with the hand's tab stop
 * @property {string | null} look the card that a pointer or the focus is on
 * @property {Schemas["HintModel"] | null} hint for the decision it names
 */
/** @typedef {"menu" | "help" | "settings" | "last" | "scores" | "log" | "end" | "host"} Dialog */
/**
 * @typedef {object} State
 * @property {Route} route
 * @property {Settings} settings
 * @property {Words | null} words null until they have come
 * @property {Sitting | null} sitting
 * @property {Notice | null} notice
 * @property {Dialog | null} dialog
 * @property {boolean} waiting for an answer to something that is not an action
 * @property {number} now this clock, in ms, while something on the page counts seconds
 */

/** @type {State} */
export const state = {
  route: { name: "doors" },
  settings: kept(),
  words: null,
  sitting: null,
  notice: null,
  dialog: null,
  waiting: false,
  now: Date.now(),
};

/** @type {(() => void) | undefined} */
let draw;
let due = false;

/** @param {() => void} how draws the page; called once for all changes of a moment */
export function drawn(how) {
  draw = how;
}

/** Change the state; the page follows. @param {Partial<State>} part */
export function change(part) {
  Object.assign(state, part);
  redraw();
}

/** Change the table's part of the state. @param {Partial<Sitting>} part */
export function changeSitting(part) {
  if (state.sitting) Object.assign(state.sitting, part);
  redraw();
}

export function redraw() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    draw?.();
  });
}

/** @param {string} decision @returns {Draft} */
export function blank(decision = "") {
  return { decision, bid: null, card: null, lay: [], back: null, over: false };
}
