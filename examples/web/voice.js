// @ts-check
/** Voice between the three seats: who wants joins, each with each, sound alone.
 *
 * The pages of a table find one another over its line. `join` tells that a page is in
 * voice, under a random `me`; who is in it too answers `here`. Then the lower seat makes
 * an offer. `anew` says that a former connection between the two is no more. */

import { ice, Problem } from "./api.js";
import { Ear, Peer } from "./peer.js";
import { redraw, state } from "./store.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./store.js").View} View */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./words.js").Key} Key */
/** @typedef {{ table: string, muted: boolean }} Wish that a reload of this page keeps */

const KEPT = "terziglio.voice";
const TICK = 300;
/** By the name of what a browser throws. @type {Record<string, Key>} */
const TROUBLE = {
  NotAllowedError: "voice_refused",
  SecurityError: "voice_refused",
  NotFoundError: "voice_none",
  OverconstrainedError: "voice_none",
};

/** You in voice; null: you are not. @type {{ me: string, track: MediaStreamTrack,
 *   servers: RTCIceServer[], speaks: boolean, ear: Ear, timer: ReturnType<typeof setInterval> } | null} */
let mine = null;
let asking = false;
let muted = false;
/** Why you are not in voice. @type {((words: Words) => string) | null} */
let trouble = null;
/** @type {Map<number, Peer>} */
const peers = new Map();
/** Who is known to be in voice while you are not. @type {Set<number>} */
const others = new Set();

/** @param {number} to a seat @param {Record<string, unknown>} data */
function say(to, data) {
  state.sitting?.line.signal(to, data);
}

/** @param {Record<string, unknown>} data */
function sayAll(data) {
  const { line } = state.sitting ?? {};
  for (const { seat, kind } of line?.view?.seats ?? [])
    if (seat !== line?.view?.you.seat && kind !== "computer") say(seat, data);
}

/** Join, for the person asked for it: not before is the microphone. */
async function join() {
  const { sitting } = state;
  if (!sitting || mine || asking) return;
  asking = true;
  trouble = null;
  redraw();
  /** @type {MediaStreamTrack | undefined} */
  let track;
  try {
    const { ice_servers } = await ice(sitting.seat);
    track = await microphone();
    if (!track || state.sitting !== sitting) return track?.stop();
    enter(track, ice_servers);
    keep({ table: sitting.seat.table, muted });
  } catch (why) {
    track?.stop();
    trouble = reason(why);
  } finally {
    asking = false;
    redraw();
  }
}

/** @returns {Promise<MediaStreamTrack | undefined>} */
async function microphone() {
  // A page that came without https, from another machine, has no microphones.
  if (!navigator.mediaDevices) throw new TypeError("insecure");
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  return stream.getAudioTracks()[0];
}

/** @param {unknown} why @returns {(words: Words) => string} */
function reason(why) {
  if (why instanceof Problem) return (words) => words.problem(why.code, why.params);
  if (why instanceof TypeError) return (words) => words.t("voice_insecure");
  const key = TROUBLE[why instanceof DOMException ? why.name : ""] ?? "voice_busy";
  return (words) => words.t(key);
}

/** @param {MediaStreamTrack} track @param {RTCIceServer[]} servers */
function enter(track, servers) {
  track.enabled = !muted;
  track.onended = () => out("voice_lost");
  const me = [...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join("");
  mine = { me, track, servers, speaks: false, ear: new Ear(), timer: setInterval(measure, TICK) };
  sayAll({ kind: "join", me, muted, anew: true });
}

/** Leave voice, and nothing else. @param {Key} [why] if the person did not ask for it */
function out(why) {
  stop();
  trouble = why ? (words) => words.t(why) : null;
  redraw();
}

/** The microphone is let go, and the others are told so. */
export function stop() {
  trouble = null;
  if (!mine) return;
  const { me, track, timer } = mine;
  sayAll({ kind: "leave", me });
  clearInterval(timer);
  track.onended = null;
  track.stop();
  mine = null;
  muted = false;
  keep(null);
  others.clear();
  for (const seat of peers.keys()) others.add(seat);
  for (const seat of [...peers.keys()]) drop(seat);
}

function mute() {
  if (!mine) return;
  muted = !muted;
  mine.track.enabled = !muted;
  sayAll({ kind: "mute", me: mine.me, muted });
  if (state.sitting) keep({ table: state.sitting.seat.table, muted });
  redraw();
}

/** How the table's line stands. What was said while it was broken is lost, so whoever
 * comes back says again that it is here. @param {import("./store.js").LineState} now */
export function lineIs({ name }) {
  const { sitting } = state;
  if (name === "stopped") stop();
  if (name !== "live" || !sitting?.line.view?.voice) return;
  const wish = kept();
  if (mine) {
    for (const [seat, peer] of [...peers]) if (peer.stand !== "connected") drop(seat);
    for (const { seat } of sitting.line.view.seats)
      if (seat !== sitting.seat.seat)
        say(seat, { kind: "join", me: mine.me, muted, anew: !peers.has(seat) });
  } else {
    sayAll({ kind: "ask" });
    if (wish?.table === sitting.seat.table) comeBack(wish);
  }
}

/** After a reload: where the browser would ask again, the person does first. @param {Wish} wish */
async function comeBack(wish) {
  try {
    const name = /** @type {PermissionName} */ ("microphone");
    if ((await navigator.permissions.query({ name })).state !== "granted") return;
  } catch {
    return; // a browser that does not tell
  }
  muted = wish.muted;
  join();
}

/** What another page of the table says. @param {number} from its seat
 * @param {Record<string, unknown>} data */
export function heard(from, { kind, me, to, muted: silent, anew, ...told }) {
  const peer = peers.get(from);
  const known = peer !== undefined && peer.id === me;
  if (!mine) {
    if (kind === "leave") others.delete(from);
    else if (typeof me === "string") others.add(from);
    return redraw();
  }
  if (kind === "ask") return say(from, { kind: "known", me: mine.me });
  if (typeof me !== "string" || (to !== undefined && to !== mine.me)) return;
  switch (kind) {
    case "join": {
      const stays = known && !anew && peer.stand === "connected";
      say(from, { kind: "here", me: mine.me, to: me, muted, anew: known && !anew && !stays });
      if (!stays) connect(from, me);
      break;
    }
    case "here":
      if (!known || anew) connect(from, me);
      break;
    case "leave":
      if (known) drop(from);
      break;
    case "moved":
      return out("voice_moved");
    default:
      if (known) peer.heard(told);
  }
  const now = peers.get(from);
  if (now?.id === me && typeof silent === "boolean") now.muted = silent;
  redraw();
}

/** @param {number} seat @param {string} id of the page there */
function connect(seat, id) {
  if (!mine) return;
  const { me, servers, track } = mine;
  const before = peers.get(seat);
  // Another page of that seat has joined: one voice is enough for a seat.
  if (before && before.id !== id) say(seat, { kind: "moved", me, to: before.id });
  drop(seat);
  const polite = seat < (state.sitting?.seat.seat ?? 0);
  peers.set(
    seat,
    new Peer(id, {
      polite,
      servers,
      track,
      changed: redraw,
      say: (told) => say(seat, { kind: "set", me, to: id, ...told }),
    }),
  );
}

/** Hear a seat no more: it has left, or it is somebody else's now. @param {number} seat */
export function drop(seat) {
  peers.get(seat)?.close();
  peers.delete(seat);
}

/** Begin anew with a seat to which no way was found. @param {number} seat */
function again(seat) {
  if (!mine) return;
  drop(seat);
  say(seat, { kind: "join", me: mine.me, muted, anew: true });
  redraw();
}

/** Look who speaks, and draw it where that has changed. */
async function measure() {
  const before = sound();
  let own = 0;
  for (const peer of peers.values()) own = Math.max(own, await peer.measure());
  if (mine) mine.speaks = mine.ear.hears(own) && !muted;
  if (sound() !== before) redraw();
}

function sound() {
  return [mine?.speaks, ...[...peers.values()].map(({ speaks }) => speaks)].join();
}

/** @returns {Wish | null} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Wish | null} wish */
function keep(wish) {
  try {
    if (wish) sessionStorage.setItem(KEPT, JSON.stringify(wish));
    else sessionStorage.removeItem(KEPT);
  } catch {
    // After a reload the person joins again.
  }
}

// A page that goes tells it; what a reload has to know stays.
addEventListener("pagehide", () => mine && sayAll({ kind: "leave", me: mine.me }));

// It comes when the line is there already; what was said before, `ask` has said again.
if (state.sitting) lineIs(state.sitting.state);

/** @param {Sitting} sitting @param {View} view @param {Words} words */
export function voicePanel(sitting, view, words) {
  const here = view.seats.filter(
    ({ seat, kind }) => seat !== view.you.seat && kind !== "computer" && kind !== "link",
  );
  return html`<section class="voice" aria-labelledby="voice-title" data-stand=${mine ? "in" : asking ? "asking" : "out"}>
    <h2 id="voice-title">${words.t("voice")}</h2>
    <p class="trouble" role="status">${trouble?.(words) ?? nothing}</p>
    ${
      mine
        ? html`<ul>
          <li>${words.t("you")}: ${words.t(muted ? "voice_muted" : mine.speaks ? "voice_speak_you" : "voice_quiet_you")}</li>
          ${here.map(({ seat }) => theirs(seat, words))}
        </ul>`
        : html`<p>${inVoice(view, words)} ${words.t(asking ? "voice_asking" : "voice_lead")}</p>`
    }
    <div class="actions start">
      <button type="button" class="voice-join" aria-disabled=${String(asking || (!mine && sitting.state.name !== "live"))}
        @click=${() => (mine ? out() : sitting.state.name === "live" && join())}>${words.t(mine ? "voice_leave" : "voice_join")}</button>
      ${mine ? html`<button type="button" class="voice-mute" aria-pressed=${String(muted)} @click=${mute}>${words.t("voice_mute")}</button>` : nothing}
    </div>
  </section>`;
}

/** Who is in voice, for one who is not. @param {View} view @param {Words} words */
function inVoice(view, words) {
  const there = view.seats.filter(({ seat, present }) => present && others.has(seat));
  if (!there.length) return nothing;
  return words.t(there.length === 1 ? "voice_in_one" : "voice_in", {
    who: words.list(there.map(({ seat }) => words.seat(seat))),
  });
}

/** @param {number} seat @param {Words} words */
function theirs(seat, words) {
  const peer = peers.get(seat);
  const told = peer ? [words.t(`voice_${peer.stand}`)] : [words.t("voice_out")];
  if (peer?.stand === "connected" && peer.muted) told.push(words.t("voice_muted"));
  if (peer?.speaks) told.push(words.t("voice_speaks"));
  return html`<li data-seat=${seat} data-stand=${peer?.stand ?? "out"}>${words.seat(seat)}: ${told.join(", ")}
    ${peer?.stand === "failed" ? html`<button type="button" @click=${() => again(seat)}>${words.t("again")}</button>` : nothing}
    ${peer?.blocked ? html`<button type="button" @click=${() => peer.hear()}>${words.t("voice_hear")}</button>` : nothing}</li>`;
}
