// @ts-check
/** A finished hand to step through: what has been fetched of it, and where one stands. */

import {
  again,
  analysis,
  askAnalysis,
  notation,
  Problem,
  record,
  sample,
  sampleNotation,
  summary,
} from "./api.js";
import { refused } from "./line.js";
import { go } from "./routes.js";
import { keepSeat, seatAt } from "./seats.js";
import { change, redraw, state } from "./store.js";

/** @typedef {import("./store.js").Schemas} Schemas */
/** @typedef {import("./seats.js").Kept} Kept */
/** @typedef {Schemas["RecordModel"]} HandRecord */
/** @typedef {Schemas["StepModel"]} Step */
/** @typedef {Schemas["AnalysisModel"]} Analysis */
/** @typedef {{ seat: number, name: string | null, kind: string, player?: string | null }} Sitter */
/**
 * @typedef {object} Replay
 * @property {string} key of the route that it is for
 * @property {Kept | null} seat whose token reads it; null: the sample hand
 * @property {number} deal
 * @property {HandRecord | null} record null until it has come
 * @property {Map<number | null, readonly Step[]>} seen the steps as each seat saw them, and open
 * @property {Set<number | null>} coming those that are on their way
 * @property {Problem | null} fault why they did not come
 * @property {number | null} from whose view is shown; null: open
 * @property {number} at how many actions have been done: 0 is the hand as dealt
 * @property {ReturnType<typeof setInterval> | null} playing
 * @property {readonly Sitter[]} sitters
 * @property {Study} study
 */
/**
 * The analysis in hindsight: not asked for, under way since a time, here, or refused.
 * @typedef {{ is: "none" } | { is: "asked", state: string, since: number }
 *   | { is: "here", found: Analysis } | { is: "refused", why: Problem }} Study
 */

const BEAT_MS = 1600;
const ASK_MS = 1000;

/** @type {Replay | null} */
let replay = null;

/** The hand that the address names; it is fetched if need be. @returns {Replay | null} */
export function replayed() {
  const { route } = state;
  const key =
    route.name === "watch"
      ? `${route.table}/${route.deal}`
      : route.name === "sample"
        ? "sample"
        : "";
  if (!key) return null;
  if (replay?.key !== key) {
    pause();
    const seat = route.name === "watch" ? (seatAt(route.table) ?? null) : null;
    const deal = route.name === "watch" ? route.deal : 1;
    replay = {
      key,
      seat,
      deal,
      record: null,
      seen: new Map(),
      coming: new Set(),
      fault: null,
      from: null,
      at: 0,
      playing: null,
      sitters: [],
      study: { is: "none" },
    };
  }
  if (route.name === "watch" && !replay.seat) return replay;
  fetchSteps(replay, replay.from);
  return replay;
}

/** The steps in the view that is chosen; undefined until they have come. @param {Replay} of */
export function steps({ seen, from }) {
  return seen.get(from);
}

/** @param {Replay} of */
export function lastOf({ record }) {
  return record?.actions.length ?? 0;
}

/** @param {Replay} of @param {number | null} from */
async function fetchSteps(of, from) {
  const { seat, deal, seen, coming } = of;
  if (of.fault || coming.has(from) || seen.has(from)) return;
  coming.add(from);
  try {
    const asked = seat ? record(seat, deal, from) : sample(from, state.settings.lang);
    const about = seat && !of.sitters.length ? summary(seat.table) : null;
    const found = await asked;
    if (about) of.sitters = (await about).seats;
    of.record ??= found;
    seen.set(from, found.steps ?? []);
  } catch (why) {
    if (!(why instanceof Problem)) throw why;
    of.fault = why;
  }
  coming.delete(from);
  redraw();
}

/** Fetch what did not come once more. */
export function retry() {
  if (replay) replay.fault = null;
  redraw();
}

/** Go to a place in the hand. @param {number} at */
export function to(at) {
  if (!replay) return;
  const last = lastOf(replay);
  replay.at = Math.max(0, Math.min(last, at));
  if (replay.at === last) pause();
  redraw();
}

/** See it as a seat saw it; null: with every card open. @param {number | null} from */
export function seenFrom(from) {
  if (replay) replay.from = from;
  redraw();
}

/** Let it go on by itself, or stop. */
export function playOrPause() {
  if (!replay) return;
  if (replay.playing !== null) return pause();
  if (replay.at === lastOf(replay)) replay.at = 0;
  replay.playing = setInterval(() => {
    const { name } = state.route;
    if (replay && (name === "watch" || name === "sample")) to(replay.at + 1);
    else pause();
  }, BEAT_MS);
  to(replay.at + 1);
}

export function pause() {
  if (!replay || replay.playing === null) return;
  clearInterval(replay.playing);
  replay.playing = null;
  redraw();
}

/** Have the hand looked at with every card known; ask until that is done. */
export async function study() {
  const of = replay;
  if (!of?.seat || of.study.is === "asked") return;
  const { seat, deal } = of;
  const since = Date.now();
  try {
    let told = await askAnalysis(seat, deal);
    while ("state" in told) {
      of.study = { is: "asked", state: told.state, since };
      redraw();
      if (told.state !== "done") await new Promise((go) => setTimeout(go, ASK_MS));
      if (replay !== of) return;
      told = await analysis(seat, deal);
    }
    of.study = { is: "here", found: told };
  } catch (why) {
    if (!(why instanceof Problem)) throw why;
    of.study = { is: "refused", why };
  }
  redraw();
}

/** The same deal at a new table, which keeps no score. */
export async function playAgain() {
  const of = replay;
  if (!of?.seat || state.waiting) return;
  const { seat, deal } = of;
  change({ waiting: true, notice: null });
  try {
    const { table, seat: place, token, invites } = await again(seat, deal);
    keepSeat({
      ...seat,
      table,
      seat: place,
      token,
      invites,
      at: Date.now(),
      hands: [],
      again: true,
    });
    go({ name: "table", table });
  } catch (why) {
    refused(why, playAgain);
  } finally {
    change({ waiting: false });
  }
}

/** Save the hand as a file: its record without the steps, or its notation.
 * @param {"json" | "hand"} kind */
export async function save(kind) {
  const of = replay;
  if (!of?.record) return;
  const { seat, deal, record: whole } = of;
  const { steps: _, ...told } = whole;
  try {
    const text =
      kind === "json"
        ? `${JSON.stringify(told, null, 1)}\n`
        : await (seat ? notation(seat, deal) : sampleNotation());
    const url = URL.createObjectURL(
      new Blob([text], { type: kind === "json" ? "application/json" : "text/plain" }),
    );
    const link = document.createElement("a");
    link.href = url;
    link.download = `terziglio-${whole.table}-${deal}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (why) {
    refused(why, () => save(kind));
  }
}

/** The keys of the replay: arrows, Home and End. @param {KeyboardEvent} pressed */
function key(pressed) {
  const { target, ctrlKey, altKey, metaKey, shiftKey } = pressed;
  const { name } = state.route;
  if (!replay || state.dialog || (name !== "watch" && name !== "sample")) return;
  if (ctrlKey || altKey || metaKey || shiftKey || pressed.defaultPrevented) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
  /** @type {Record<string, number>} */
  const places = { ArrowLeft: replay.at - 1, ArrowRight: replay.at + 1, Home: 0, End: Infinity };
  const place = places[pressed.key];
  if (place === undefined) return;
  pressed.preventDefault();
  pause();
  to(place);
}

addEventListener("keydown", key);
