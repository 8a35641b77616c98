// The TypeScript client for `test_typescript.py`: says each thing it is called with as
// a line of JSON, and makes the calls that come in as lines. Its time runs SPEED times
// as fast as the clock.
import { createInterface } from "node:readline";

const [server, speed] = process.argv.slice(2);
const later = globalThis.setTimeout;
globalThis.setTimeout = (call, ms) => later(call, ms / Number(speed));
const { Seat } = await import("../../clients/typescript/client.js");

const say = (...told) => console.log(JSON.stringify(told));
const seat = new Seat(server, "t_1", "tzs_1", {
  view: (view) => say("view", view),
  event: (event, seq) => say("event", event.kind, seq),
  presence: (told) => say("presence", told.seat, told.present),
  signal: (from, data) => say("signal", from, data),
  error: (error) => say("error", error.code),
  state: (state) => say("state", state.name, state.code, state.retry_ms),
});

for await (const line of createInterface({ input: process.stdin })) {
  const [call, ...params] = JSON.parse(line);
  seat[call](...params)?.then(
    (seq) => say("resolved", call, seq),
    (refused) => say("rejected", call, refused.code),
  );
}
seat.close();
