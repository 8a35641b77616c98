// @ts-check
/** The page's line to its table: what comes in changes the state, what goes out is sent once. */

import { Refused, Seat } from "../../clients/typescript/client.js";
import { local, Problem, SERVER } from "./api.js";
import { ask } from "./board.js";
import { voice } from "./later.js";
import { story } from "./log.js";
import { alert } from "./say.js";
import { go } from "./routes.js";
import { forget, keepSeat, seatAt } from "./seats.js";
import { play } from "./sound.js";
import { blank, change, changeSitting, state } from "./store.js";

/** @typedef {import("../../clients/typescript/client.js").Action} Action */
/** @typedef {import("../../clients/typescript/client.js").Event} Event */
/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./store.js").LineState} LineState */
/** @typedef {import("./seats.js").Kept} Kept */

const LOG = 400;
/** How long an answer may take before it is told that it is waited for, in ms. */
const SLOW = 700;
/** How long it is told that the line is there again, in ms. */
const BACK = 3000;
/** The close code of a seat that is not yours any more. */
const GONE = 4401;

/** Sit down with a seat's token, and stay until another is taken. @param {Kept} seat */
export function sit(seat) {
  leave();
  const line = new Seat(SERVER, seat.table, seat.token, {
    view: (view) => drawn(view),
    event: (event, seq, view) => told(event, seq, view),
    presence: ({ seat: other, present, since }) => {
      const sitting = state.sitting;
      if (!sitting) return;
      const away = { ...sitting.away };
      if (present) delete away[other];
      else away[other] = local(since);
      const { view } = sitting;
      const seats = view?.seats.map((at) => (at.seat === other ? { ...at, present } : at)) ?? [];
      changeSitting({ away, view: view && { ...view, seats } });
      if (present) used(sitting, (each) => each === other);
    },
    signal: (from, data) => voice.here?.heard(from, data),
    error: (error) => refused(new Problem(error.code, error.params, error.why)),
    state: (now) => {
      state.now = Date.now(); // the clock of what is told below
      const retry_at = now.name === "waiting" ? state.now + now.retry_ms : 0;
      stands(now);
      changeSitting({ state: now, retry_at });
      voice.here?.lineIs(now);
      if (now.name === "stopped" && now.code === GONE) lost(seat);
      else if (now.name === "live") sat(seat);
    },
  });
  change({
    sitting: {
      seat,
      line,
      state: line.state,
      retry_at: 0,
      view: null,
      log: [],
      away: {},
      back: false,
      slow: false,
      busy: null,
      draft: blank(),
      spot: null,
      look: null,
      hint: null,
    },
    notice: null,
    dialog: null,
  });
}

/** Say once that the line has broken, and once that it is there again.
 * @param {LineState} now */
function stands(now) {
  const { sitting, words } = state;
  if (!sitting || !words) return;
  if (now.name === "waiting" && sitting.state.name === "live") {
    sitting.back = false;
    alert(words.t("retry_in", { n: Math.ceil(now.retry_ms / 1000) }));
  } else if (now.name === "live" && sitting.view) {
    alert(words.t("back_in"));
    sitting.back = true;
    setTimeout(() => changeSitting({ back: false }), BACK);
  }
}

/** The seat is somebody else's, or the table is gone; a link to it may still be good.
 * @param {Kept} seat */
function lost(seat) {
  const kept = seatAt(seat.table);
  if (kept && kept.token !== seat.token) return sit(kept); // it was taken anew in another tab
  forget(seat.table);
  if (seat.invite) go({ name: "join", table: seat.table, invite: seat.invite }, true);
}

/** Who opens a link to a table and sits there already is told so. @param {Kept} seat */
function sat(seat) {
  if (!seat.invite) return;
  delete seat.invite;
  keepSeat(seat);
  const text = state.words?.t("sit_already") ?? "";
  change({ notice: { code: "sit_already", text } });
  alert(text);
}

/** Leave the table: its seat stays yours. */
export function leave() {
  voice.here?.stop();
  const sitting = state.sitting;
  if (!sitting) return;
  change({ sitting: null });
  sitting.line.close();
}

/** A link with which somebody has sat down opens nothing any more.
 * @param {Sitting} sitting @param {(seat: number) => boolean} taken */
function used({ seat }, taken) {
  const left = seat.invites.filter((invite) => !taken(invite.seat));
  if (left.length === seat.invites.length) return;
  seat.invites = left;
  keepSeat(seat);
}

/** Keep who sits at the table, to tell it from others on the first page.
 * @param {Sitting} sitting @param {View} view */
function met({ seat }, view) {
  const others = view.seats.flatMap(({ seat: each, kind, name }) =>
    each === view.you.seat || kind === "computer" || !name ? [] : [name],
  );
  if (others.join("\n") === (seat.others ?? []).join("\n")) return;
  seat.others = others;
  keepSeat(seat);
}

/** Whether the person may act now: the view is the table as it is, and nothing is under way.
 * @param {Sitting} sitting */
export function ready({ state: { name }, busy }) {
  return name === "live" && busy === null;
}

/** Answer the decision that is due. @param {Action} action */
export function act(action) {
  const sitting = state.sitting;
  if (!sitting || !ready(sitting)) return;
  wait(sitting, sitting.line.act(action));
}

/** Ask for the next hand, or after a match for a new one. */
export function goOn() {
  const sitting = state.sitting;
  if (!sitting?.view || !ready(sitting)) return;
  const { line, view } = sitting;
  wait(sitting, view.phase === "finished" ? line.rematch() : line.nextHand());
}

/** Nothing else may be sent until what was sent has been answered and seen.
 * @param {Sitting} sitting @param {Promise<number>} answer */
async function wait(sitting, answer) {
  change({ notice: null });
  sitting.busy = 0;
  const late = setTimeout(() => changeSitting({ slow: true }), SLOW);
  try {
    sitting.busy = await answer;
  } catch (why) {
    sitting.busy = null;
    if (!(why instanceof Refused)) throw why;
    if (state.sitting === sitting) {
      const { answer: said } = why;
      refused(new Problem(why.code, said?.params, said?.why));
    }
  }
  clearTimeout(late);
  sitting.slow = false;
  seen(sitting);
  changeSitting({});
}

/** @param {Sitting} sitting */
function seen(sitting) {
  const { busy, view } = sitting;
  if (busy && view && view.seq >= busy) sitting.busy = null;
}

/** Tell a refusal where it is read and heard. @param {unknown} why @param {() => void} [again] */
export function refused(why, again) {
  if (!(why instanceof Problem)) throw why;
  const text = state.words?.problem(why.code, why.params, why.why) ?? why.code;
  const tryAgain = ["offline", "draining", "overloaded", "rate_limited", "storage_unavailable"];
  change({
    notice: { code: why.code, text, ...(again && tryAgain.includes(why.code) && { again }) },
  });
  alert(text);
}

/** @param {View} view */
function drawn(view) {
  const { sitting, words } = state;
  if (!sitting || !words) return;
  words.about(view);
  const before = sitting.view;
  sitting.view = view;
  seen(sitting);
  if (!sitting.log.length) sitting.log = story(view, words);
  const decision = view.turn?.seat === view.you.seat ? view.turn.decision : "";
  if (sitting.draft.decision !== decision) {
    sitting.draft = blank(decision);
    sitting.hint = null;
    if (decision) yourTurn(view);
  }
  if (view.count && !sitting.seat.hands.includes(view.match.deal)) {
    sitting.seat.hands = [...sitting.seat.hands, view.match.deal];
    keepSeat(sitting.seat);
  }
  met(sitting, view);
  used(sitting, (each) => view.seats[each]?.present ?? false);
  const away = { ...sitting.away };
  for (const { seat, present } of view.seats) if (present) delete away[seat];
  if (before && before.phase !== view.phase) change({ notice: null });
  changeSitting({ away });
}

/** @param {View} view */
function yourTurn(view) {
  const { words, settings } = state;
  if (!words) return;
  alert(words.t("turn_yours", { ask: ask(view, words) }));
  if (settings.sounds === "on") play("turn");
}

/** @param {Event} event @param {number} seq @param {View} view */
function told(event, seq, view) {
  const { sitting, words, settings } = state;
  if (!sitting || !words) return;
  words.about(view);
  if (event.kind === "seat_reissued") voice.here?.drop(event.seat);
  if (event.kind === "seat_taken") used(sitting, (each) => each === event.seat);
  if (!sitting.log.length && sitting.view) sitting.log = story(sitting.view, words);
  const text = words.event(event);
  if (text) sitting.log = [...sitting.log, { key: `${seq}`, text }].slice(-LOG);
  if (settings.sounds !== "on" || event.kind !== "card_played") return;
  play(event.count ? "end" : event.trick ? "trick" : "card");
}
