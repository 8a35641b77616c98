// @ts-check
/**
 * The cards: forty faces in two suit systems, drawn here as inline SVG.
 *
 * A face carries no words (it is hidden from a screen reader): whoever shows one writes the card's
 * name beside it. It carries no colours either: all of them are custom properties of `cards.css`,
 * so that dark, four-colour, high-contrast and forced-colours cards are the same drawing.
 */

import { html, nothing, svg } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./vendor/lit-html/lit-html.js").TemplateResult<1 | 2>} Template */
/** @typedef {"french" | "italian"} Deck */
/** @typedef {"S" | "H" | "C" | "D"} Suit */

/** Suits in the order in which a hand is held: dark and red by turns in both decks. */
export const SUITS = "SHCD";

/** Ranks from the strongest down. */
export const RANKS = "32AKQJ7654";

/**
 * The symbols, each about 24 units high around 0 0. Holes are cut by the even-odd rule.
 * @type {Readonly<Record<Deck, Readonly<Record<Suit, string>>>>}
 */
const SYMBOLS = {
  french: {
    S: "M0-12C3-6.4 10-3 10 3.4C10 7 7.6 8.8 5.2 8.8C3.4 8.8 2 8 1.2 6.6C1.4 9 2.4 10.8 4.4 12H-4.4C-2.4 10.8-1.4 9-1.2 6.6C-2 8-3.4 8.8-5.2 8.8C-7.6 8.8-10 7-10 3.4C-10-3-3-6.4 0-12Z",
    H: "M0 11.5C-3 6-11 2.5-11-4C-11-8-8.4-10.4-5.4-10.4C-2.8-10.4-.9-8.8 0-6C.9-8.8 2.8-10.4 5.4-10.4C8.4-10.4 11-8 11-4C11 2.5 3 6 0 11.5Z",
    C: "M0-11.6A5.1 5.1 0 0 1 3.9-3.2C3.2-2.4 2.6-1.8 2.2-1C3.2-1.6 4.2-2 5.6-2A5.3 5.3 0 1 1 1.1 6.2C1.3 8.8 2.4 10.8 4.4 12H-4.4C-2.4 10.8-1.3 8.8-1.1 6.2A5.3 5.3 0 1 1-5.6-2C-4.2-2-3.2-1.6-2.2-1C-2.6-1.8-3.2-2.4-3.9-3.2A5.1 5.1 0 0 1 0-11.6Z",
    D: "M0-12C2.2-7.2 5.2-3.2 9 0C5.2 3.2 2.2 7.2 0 12C-2.2 7.2-5.2 3.2-9 0C-5.2-3.2-2.2-7.2 0-12Z",
  },
  italian: {
    S: "M9.9-11.8L9.6-6.1L.4 6.4C2.1 7.7 4.1 8.3 5.9 7.4L6 10.6C3.3 11.8 .1 10.5-2.3 8.6L-4.4 11.3A2.5 2.5 0 1 1-7 9.6L-5.1 6.6C-7.8 5-10.1 2.4-9.9-.5L-6.8-1.5C-7.1 .5-5.8 2.1-4.1 3.3L4.5-9.6ZM6-7.4L-1.7 3.8L-.9 4.4L7-6.7Z",
    H: "M-9-11.5H9C9.4-3.5 6.6 1.4 2.2 2.8V6.8C5.2 7.4 7 9.2 7 11.5H-7C-7 9.2-5.2 7.4-2.2 6.8V2.8C-6.6 1.4-9.4-3.5-9-11.5ZM-6.6-8.6Q-6.6-7-6.3-6H6.3Q6.6-7 6.6-8.6Z",
    C: "M3.7 13.8L-9.4-7.5C-11.1-10.7-2.7-15.1-1-12L2.2-5.2L4.4-9.2L7.6-7.1L4.3-.4L9.4 10.7ZM-7.5-8.5C-6.9-7.4-2.2-9.9-2.8-11C-3.4-12.1-8.1-9.6-7.5-8.5ZM-3.9-2L-2.7-2.7L.6 2.9L-.5 3.5ZM2.7 5L3.7 4.5L5.7 8.8L5 9.2Z",
    D: "M-11 0A11 11 0 1 1 11 0A11 11 0 1 1-11 0ZM-8.6 0A8.6 8.6 0 1 0 8.6 0A8.6 8.6 0 1 0-8.6 0ZM0-7C1-3.6 1.4-2.4 4.9-4.9C2.4-1.4 3.6-1 7 0C3.6 1 2.4 1.4 4.9 4.9C1.4 2.4 1 3.6 0 7C-1 3.6-1.4 2.4-4.9 4.9C-2.4 1.4-3.6 1-7 0C-3.6-1-2.4-1.4-4.9-4.9C-1.4-2.4-1-3.6 0-7Z",
  },
};

/**
 * The letters of the corners, as pen strokes in a box 10 wide and 14 high.
 * @type {Readonly<Record<string, string>>}
 */
const LETTERS = {
  2: "M.6 3.8C.8-1.3 9.2-1.2 9.2 3.9C9.2 7.6.6 10 .4 14H9.6",
  3: "M.8 2.8C1.9-1 8.8-.8 8.8 3.4C8.8 5.6 7 6.6 4.2 6.6C7.2 6.6 9.4 7.8 9.4 10.2C9.4 15 1.6 15.2.4 11.2",
  4: "M7 14V0L.2 10H10",
  5: "M8.8 0H1.6L1 6.4C3 4.6 9.5 4.6 9.5 9.4C9.5 15.2 1.4 15 .5 11.6",
  6: "M8.6 1.6C6.4-.8.6-.4.6 8.4C.6 16 9.5 15.2 9.5 9.6C9.5 4.4 2 4.2.7 8.8",
  7: "M.5 0H9.5L3.6 14",
  A: "M0 14L5 0L10 14M1.7 9.4H8.3",
  K: "M1 0V14M9.4 0L1.2 8.6M4 5.8L9.8 14",
  Q: "M5 0C11.4 0 11.4 14 5 14C-1.4 14-1.4 0 5 0M5.6 10L9.6 14.6",
  J: "M4 0H8.4V9.4C8.4 15.4 1 15.2.6 10.8",
  R: "M1 14V0H5.4C10.4 0 10.4 7.6 5.4 7.6H1M5.4 7.6L9.8 14",
  C: "M9.4 3.2C7.6-1.2.4-1.6.4 7C.4 15.6 7.6 15.2 9.4 10.8",
  F: "M1.4 14V0H9.2M1.4 6.6H8",
};

/**
 * Letters of re, cavallo, fante. French cards show K Q J in Italy too.
 * @type {Readonly<Record<string, string>>}
 */
const ITALIAN_LETTERS = { K: "R", Q: "C", J: "F" };

/**
 * Where the symbols of a number card stand: x, y, size.
 * @type {Readonly<Record<string, readonly (readonly [number, number])[]>>}
 */
const PIPS = {
  A: [[30, 45]],
  2: [
    [30, 23],
    [30, 67],
  ],
  3: [
    [30, 18],
    [30, 45],
    [30, 72],
  ],
  4: [
    [22.6, 20],
    [37.4, 20],
    [22.6, 70],
    [37.4, 70],
  ],
  5: [
    [22.6, 20],
    [37.4, 20],
    [30, 45],
    [22.6, 70],
    [37.4, 70],
  ],
  6: [
    [22.6, 18],
    [37.4, 18],
    [22.6, 45],
    [37.4, 45],
    [22.6, 72],
    [37.4, 72],
  ],
  7: [
    [22.6, 16],
    [37.4, 16],
    [30, 31],
    [22.6, 46],
    [37.4, 46],
    [22.6, 74],
    [37.4, 74],
  ],
};

const ROBE =
  "M-13.5 66C-13.5 57-8 55-4 51H4C8 55 13.5 57 13.5 66V82A2 2 0 0 1 11.5 84H-11.5A2 2 0 0 1-13.5 82Z";
const HEAD = "M-7 32C-7 27 7 27 7 32C7.6 43 4.6 48 3.2 49V54Q0 57-3.2 54V49C-4.6 48-7.6 43-7 32Z";
const EYES = "M-4.4 36.4H-2M2 36.4H4.4";

/**
 * The figures, painted in order; a class says with which paint (see cards.css).
 * @type {Readonly<Record<string, readonly (readonly [string, string])[]>>}
 */
const FIGURES = {
  K: [
    ["ink", ROBE],
    ["gold", "M-10 56Q0 66 10 56L5 51H-5Z"],
    ["skin", HEAD],
    ["ink", "M-8 33C-9 46-5 54 0 57C5 54 9 46 8 33C6.4 40 4 41 0 40C-4 41-6.4 40-8 33Z"],
    ["pen", EYES],
    ["gold", "M-8.6 29L-11.5 14L-5.4 20L0 10.5L5.4 20L11.5 14L8.6 29Q0 26 -8.6 29Z"],
  ],
  queen: [
    ["ink", ROBE],
    [
      "ink",
      "M0 22C-11 22-10.6 34-10.2 42C-10 49-13 52-12 60H12C13 52 10 49 10.2 42C10.6 34 11 22 0 22Z",
    ],
    ["skin", HEAD],
    ["gold", "M-8 55Q0 64 8 55L6 53Q0 59-6 53Z"],
    ["ink", "M-8 36C-5 34-1 31 0 27C1 31 5 34 8 36C8 26 4 24 0 24C-4 24-8 26-8 36Z"],
    ["pen", EYES],
    ["rose", "M-1.8 43.4Q0 42.4 1.8 43.4Q0 45.6-1.8 43.4Z"],
    ["gold", "M-9 26L-7.6 18L-4 22L0 15L4 22L7.6 18L9 26Q0 21-9 26Z"],
  ],
  horse: [
    [
      "ink",
      "M1.5 12L5 19C12.6 26 13.5 42 13.5 60V82A2 2 0 0 1 11.5 84H-11.5A2 2 0 0 1-13.5 82C-13.5 71-9 66-5 58C-3.6 55-2.6 53-2 50C-5 48.6-7 51-10 50.6C-13.6 50-14 46-12.4 42.6C-9.4 37-8.4 33-7 28C-5.8 23.4-3 21 .2 19.4Z",
    ],
    [
      "gold",
      "M-9.6 35.4L-3.6 46.6L-6 48.4L-11 38.6ZM-2 24.6L4.8 41.6L-3.6 46.6L-4 44.4L2 40.8L-4 25.8Z",
    ],
    ["mane", "M7 25L4.6 27.6M9.6 31L6.6 33M11 38L7.8 39.4M11.6 45L8.4 45.8"],
    ["mane", "M-4.4 31.2H-2.6"],
  ],
  J: [
    ["ink", ROBE],
    ["ink", "M-8.6 28H8.6L9.4 46Q6 49 5 46H-5Q-6 49-9.4 46Z"],
    ["skin", HEAD],
    ["gold", "M-7 53L0 61L7 53L4 51L0 56L-4 51Z"],
    ["pen", EYES],
    ["rose", "M-1.6 43.6Q0 44.8 1.6 43.6Z"],
    ["gold", "M5 22C4 14 8 9 13.5 8C13 14 12 19 8 24Z"],
    ["ink", "M-9.6 31C-13 22-5 16 2 18C10 18 12.6 24 9.6 31Q0 26-9.6 31Z"],
  ],
};

/**
 * @param {string} card
 * @returns {{ rank: string, suit: Suit }}
 */
function parts(card) {
  return { rank: card.charAt(0), suit: /** @type {Suit} */ (card.charAt(1)) };
}

/**
 * One symbol at a place of the face.
 * @param {string} path
 * @param {number} x
 * @param {number} y
 * @param {number} size its height over 24
 * @param {string} [paint]
 */
function put(path, x, y, size, paint = "ink") {
  return svg`<path class=${paint} d=${path} transform="translate(${x} ${y}) scale(${size})"/>`;
}

/**
 * A corner: what is seen of a card that lies under its neighbour.
 * @param {string} path the suit's symbol
 * @param {string} letter
 */
function corner(path, letter) {
  return svg`<path class="letter" d=${LETTERS[letter] ?? ""} transform="translate(4 5.5)"/>
    ${put(path, 9, 28.5, 0.48)}`;
}

/**
 * A number card: its symbols as on a table, and the one large symbol that a small card shows instead.
 * @param {string} path
 * @param {readonly (readonly [number, number])[]} places
 * @param {Deck} deck
 */
function pips(path, places, deck) {
  const count = places.length;
  const size = count === 1 ? 1.7 : count < 4 ? 0.85 : count < 7 ? 0.6 : 0.56;
  return svg`<g class="pips">${places.map(([x, y]) =>
    put(path, x, y, deck === "french" && y > 50 ? -size : size),
  )}</g>
    <g class="one">${put(path, 0, 0, 1.5)}</g>`;
}

/**
 * @param {string} path
 * @param {string} rank
 * @param {Deck} deck
 */
function figure(path, rank, deck) {
  const name = rank === "Q" ? (deck === "italian" ? "horse" : "queen") : rank;
  const paints = FIGURES[name] ?? [];
  return svg`<g class="figure"><rect class="panel" x="-13.5" y="6" width="27" height="78" rx="2"/>
    ${paints.map(([paint, d]) => svg`<path class=${paint} d=${d}/>`)}
    ${put(path, name === "horse" ? 1 : 0, 71.5, 0.8, "cut")}</g>`;
}

/**
 * The face of a card, such as "3S".
 * @param {string} card
 * @param {Deck} [deck]
 * @param {string} [lang] the language of the letters in the corners
 * @returns {Template}
 */
export function face(card, deck = "french", lang = "en") {
  const { rank, suit } = parts(card);
  const path = SYMBOLS[deck][suit];
  const index = corner(
    path,
    (lang === "it" && deck === "italian" && ITALIAN_LETTERS[rank]) || rank,
  );
  const places = PIPS[rank];
  return html`<svg class="face" viewBox="0 0 60 90" aria-hidden="true" focusable="false"
    data-suit=${suit} data-deck=${deck}>
    ${places ? pips(path, places, deck) : figure(path, rank, deck)}
    <g class="near">${index}</g><g class="far" transform="rotate(180 30 45)">${index}</g>
  </svg>`;
}

/** A lattice over the back, and three rings for three players. */
const LATTICE = Array.from({ length: 13 }, (_, i) => {
  const step = 10 * (i - 6);
  return `M5 ${20 + step}L55 ${70 + step}M5 ${70 + step}L55 ${20 + step}`;
}).join("");

/**
 * The back of a card.
 * @returns {Template}
 */
export function back() {
  return html`<svg class="face back" viewBox="0 0 60 90" aria-hidden="true" focusable="false">
    <svg x="5" y="5" width="50" height="80" viewBox="5 5 50 80"><path class="lattice" d=${LATTICE}/></svg>
    <rect class="edge" x="5" y="5" width="50" height="80" rx="3"/>
    <circle class="seal" cx="30" cy="45" r="13"/>
    ${[
      [30, 41],
      [26.5, 47],
      [33.5, 47],
    ].map(([x, y]) => svg`<circle class="ring" cx=${x} cy=${y} r="5"/>`)}
  </svg>`;
}

/**
 * A suit's symbol within a line of text, one em high. The text beside it says the word.
 * @param {string} suit
 * @param {Deck} [deck]
 * @returns {Template}
 */
export function symbol(suit, deck = "french") {
  const path = SYMBOLS[deck][/** @type {Suit} */ (suit)];
  return path === undefined
    ? html`${nothing}`
    : html`<svg class="emblem" viewBox="-12 -14 24 28" aria-hidden="true" focusable="false"
        data-suit=${suit} data-deck=${deck}><path class="ink" d=${path}/></svg>`;
}

/**
 * The cards of a hand in the order in which it is held; the given list stays as it is.
 * @param {readonly string[]} cards
 * @returns {string[]}
 */
export function sorted(cards) {
  /** @param {string} card */
  const place = (card) => 10 * SUITS.indexOf(card.charAt(1)) + RANKS.indexOf(card.charAt(0));
  return [...cards].sort((one, other) => place(one) - place(other));
}
