// A whole match against two computer players, also through restarts of the server:
//   node example.js [SERVER]
import { Seat } from "./client.js";

/** @typedef {import("./client.js").View} View */
/** @typedef {import("./client.js").Action} Action */
const { process } = /** @type {{ process?: { argv: string[] } }} */ (globalThis);
const server = process?.argv[2] ?? "http://127.0.0.1:8000";

const opened = await fetch(`${server}/v1/tables`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ mode: "computer", name: "Anna", pace_ms: 0 }),
});
const { table, token } = await opened.json();
let asked = "";

const seat = new Seat(server, table, token, {
  view(view) {
    const { match, options, phase, turn } = view;
    if (options && turn) once(turn.decision, () => seat.act(choose(options)));
    else if (phase === "count") once(`hand after ${match.deal}`, () => seat.nextHand());
    else if (phase === "finished") {
      console.log(`winner: seat ${match.winner}, scores ${JSON.stringify(match.scores)}`);
      seat.close();
    }
  },
  event: (event, seq) => console.log(seq, event.kind),
  state: (state) => console.log(JSON.stringify(state)),
});

/** Ask for something once; say what became of it. @param {string} what @param {() => Promise<number>} ask */
async function once(what, ask) {
  if (what === asked) return;
  asked = what;
  console.log(`${what} is ${await ask()}`);
}

/** Anything that is offered. @param {NonNullable<View["options"]>} options @returns {Action} */
function choose(options) {
  switch (options.type) {
    case "bid":
      return { type: "bid", bid: any(options.bids) };
    case "discard": {
      const cards = options.from.slice(0, options.count);
      const [give_back] = options.from.slice(options.count);
      return { type: "discard", cards, ...(options.give_back && { give_back }) };
    }
    default:
      return { type: options.type, card: any(options.cards) };
  }
}

/** @template T @param {T[]} offered @returns {T} */
function any(offered) {
  return /** @type {T} */ (offered[Math.floor(Math.random() * offered.length)]);
}
