// A player with rules of thumb: `thumb.py` in JavaScript. It reads a view a line from
// standard input and writes its answer, in the messages of the socket:
//   terziglio arena --cmd "node examples/bots/thumb.js" random --deals 200
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const RANKS = "4567JQKA23"; // weakest first
const SUITS = "SCHD";
const WORTH = { 3: 3, 2: 2, A: 2, K: 1 };
const WANTED = { 3: 3, 2: 2, A: 1 };
const BARS = { chiamo: 10, solo: 17, solissimo: 20 };

const rank = (card) => RANKS.indexOf(card[0]);
const suit = (card) => SUITS.indexOf(card[1]);
const place = (card) => 10 * suit(card) + rank(card);
const thirds = (card) => (card[0] === "A" ? 3 : rank(card) < 4 ? 0 : 1);
const lengths = (cards) => [...SUITS].map((s) => cards.filter((c) => c[1] === s).length);
const cheapness = (card) => [thirds(card), rank(card), suit(card)];

/** Compare lists of numbers, the first difference counts. */
function compare(a, b) {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}
const sorted = (cards, key) => [...cards].sort((a, b) => compare(key(a), key(b)));
const least = (cards, key) => sorted(cards, key)[0];
const most = (cards, key) => sorted(cards, key).at(-1);

/** Return the answer to a view that has options. */
export function choose(view) {
  const hand = view.hand.map(({ card }) => card);
  switch (view.options.type) {
    case "bid":
      return { type: "bid", bid: bid(hand, view.options.bids) };
    case "call": {
      const long = lengths(hand);
      const wish = (c) => [WANTED[c[0]] ?? 0, long[suit(c)], -place(c)];
      return { type: "call", card: most(view.options.cards, wish) };
    }
    case "discard":
      return discard(view.options);
    default:
      return { type: "play", card: play(view) };
  }
}

function bid(hand, bids) {
  const high = hand.reduce((sum, card) => sum + (WORTH[card[0]] ?? 0), 0);
  const value = high + Math.max(0, Math.max(...lengths(hand)) - 4);
  return bids.filter((name) => value >= BARS[name]).at(-1) ?? "pass";
}

function discard({ from, count, give_back }) {
  const back = give_back ? least(from, cheapness) : null;
  const rest = from.filter((card) => card !== back);
  const long = lengths(rest);
  const use = (c) => [WANTED[c[0]] ?? 0, long[suit(c)], place(c)];
  const cards = sorted(rest, use).slice(0, count);
  return { type: "discard", cards, give_back: back };
}

function play({ options: { cards }, trick, contract, you }) {
  const plays = trick?.plays ?? [];
  if (plays.length % 3 === 0) {
    const long = lengths(cards);
    return most(cards, (c) => [long[suit(c)], rank(c), -suit(c)]);
  }
  const led = plays[0].card[1];
  const best = most(plays.filter((p) => p.card[1] === led), (p) => [rank(p.card)]);
  const partner = ![you.seat, best.seat].includes(contract.soloist);
  const last = plays.length === 2;
  if (partner && last) return most(cards, (c) => [thirds(c), -rank(c), -suit(c)]);
  const winning = cards.filter((c) => c[1] === led && rank(c) > rank(best.card));
  if (winning.length && !partner) {
    return (last ? least : most)(winning, (c) => [rank(c)]);
  }
  return least(cards, cheapness);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { view } = JSON.parse(line);
    if (!view?.options) continue;
    const { decision } = view.turn;
    const answer = { type: "action", id: decision, decision, action: choose(view) };
    console.log(JSON.stringify(answer));
  }
}
