// @ts-check
/** The screen of a finished hand: one move at a time, as a seat saw it or with every card open. */

import { auction, facts } from "./board.js";
import { face, sorted } from "./cards.js";
import { payment, sums } from "./count.js";
import { hindsight } from "./hindsight.js";
import {
  lastOf,
  pause,
  playAgain,
  playOrPause,
  replayed,
  retry,
  save,
  seenFrom,
  steps,
  to,
} from "./replay.js";
import { ruleText } from "./rules.js";
import { theTrick } from "./trick.js";
import { Words } from "./words.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { live } from "./vendor/lit-html/directives/live.js";

/** @typedef {import("./store.js").State} State */
/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./store.js").Schemas} Schemas */
/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./replay.js").Step} Step */
/** @typedef {import("./replay.js").HandRecord} HandRecord */
/** @typedef {Schemas["OpenViewModel"]} OpenView */

const SEATS = [0, 1, 2];

/** @param {State} state @param {Words} words */
export function watchPage(state, words) {
  const replay = replayed();
  if (!replay) return nothing;
  const { record, fault, seat } = replay;
  const sample = state.route.name === "sample";
  return html`<main id="main" class="watch" tabindex="-1" data-at=${replay.at} data-from=${replay.from ?? "open"}>
    <h1 tabindex="-1">${sample ? words.t("sample_title") : words.t("watch_title", { n: replay.deal })}</h1>
    ${sample && !replay.at ? html`<p>${words.t("sample_lead")}</p>` : nothing}
    ${!sample && !seat ? html`<p class="notice" role="alert">${words.t("watch_no_seat")}</p>` : nothing}
    ${
      fault
        ? html`<p class="notice" role="alert" data-code=${fault.code}>${words.problem(fault.code, fault.params)}
      <button type="button" @click=${retry}>${words.t("again")}</button></p>`
        : nothing
    }
    ${
      record
        ? theHand(replay, record, called(replay, words, state.settings), state)
        : !fault && (sample || seat)
          ? html`<p role="status">${words.t("loading")}</p>`
          : nothing
    }
    <p class="actions start">
      ${seat ? html`<a class="button" href="#/table/${seat.table}">${words.t("back_to_table")}</a>` : html`<a class="button" href="#/">${words.t("back_to_doors")}</a>`}
      <a class="button" href="#/rules">${words.t("read_rules")}</a>
    </p>
  </main>`;
}

/** Words of this hand alone: its seats by name, and its reader as "you".
 * @param {Replay} replay @param {Words} words @param {State["settings"]} settings */
function called({ seat, sitters }, words, settings) {
  const own = new Words(words.data, settings);
  if (sitters.length)
    own.about(
      /** @type {View} */ ({ you: { seat: seat?.seat }, seats: /** @type {unknown} */ (sitters) }),
    );
  if (!seat) own.you = null;
  return own;
}

/** @param {Replay} replay @param {HandRecord} record @param {Words} words @param {State} state */
function theHand(replay, record, words, state) {
  const made = steps(replay);
  return html`
    ${controls(replay, lastOf(replay), words)}
    ${made ? theMove(replay, record, made, words) : html`<p role="status">${words.t("loading")}</p>`}
    <p class="actions start">
      ${replay.seat?.mode === "computer" ? html`<button type="button" ?disabled=${state.waiting} @click=${playAgain}>${words.t("play_again")}</button>` : nothing}
      <button type="button" @click=${() => save("json")}>${words.t("save_json")}</button>
      <button type="button" @click=${() => save("hand")}>${words.t("save_hand")}</button>
    </p>`;
}

/** @param {Replay} replay @param {HandRecord} record @param {readonly Step[]} made @param {Words} words */
function theMove(replay, record, made, words) {
  const step = made[replay.at - 1];
  const view = seenAt(replay, record, made);
  const sitting = /** @type {Sitting} */ ({ seat: { again: Boolean(replay.seat?.again) } });
  return html`<div class="board">
      <p class="told" role="status">${step ? words.event(step.event) : words.t(record.dealer === words.you ? "watch_dealt_you" : "watch_dealt", { who: words.seat(record.dealer) })}</p>
      <div class="scene">${scene(view, words)}</div>
      ${hands(replay, view, words)}
      ${facts(sitting, view, words)}
    </div>
    <div class="beside">
      ${step ? rulesOf(step.rules, words) : nothing}
      ${hindsight(replay, words)}
      ${moves(replay, made, words)}
    </div>`;
}

/** @param {Replay} replay @param {number} last @param {Words} words */
function controls({ at, playing, from }, last, words) {
  const button = (
    /** @type {"first" | "back" | "forward" | "last"} */ name,
    /** @type {string} */ sign,
    /** @type {number} */ place,
  ) =>
    html`<button type="button" data-go=${name} aria-label=${words.t(`watch_${name}`)} title=${words.t(`watch_${name}`)}
      aria-disabled=${String(place < 0 || place > last || place === at)} @click=${() => go(place)}>${sign}</button>`;
  return html`<div class="steps" role="group" aria-label=${words.t("watch_controls")}>
      ${button("first", "«", 0)} ${button("back", "‹", at - 1)}
      <button type="button" class="main" data-go="play" @click=${playOrPause}>${words.t(playing === null ? "watch_play" : "watch_pause")}</button>
      ${button("forward", "›", at + 1)} ${button("last", "»", last)}
    </div>
    <div class="controls"><label class="slide"><span>${words.t("watch_at", { n: at, last })}</span>
      <input type="range" min="0" max=${last} step="1" .value=${live(String(at))}
        aria-valuetext=${words.t("watch_at", { n: at, last })} @input=${slide} /></label>
    <label class="row from"><span>${words.t("watch_from")}</span>
      <select @change=${choose}>
        <option value="open" ?selected=${from === null}>${words.t("watch_open")}</option>
        ${SEATS.map((seat) => html`<option value=${seat} ?selected=${from === seat}>${words.who(seat)}</option>`)}
      </select></label></div>`;
}

/** @param {number} at */
function go(at) {
  pause();
  to(at);
}

/** @param {Event} slid */
function slide(slid) {
  go(Number(/** @type {HTMLInputElement} */ (slid.currentTarget).value));
}

/** @param {Event} chosen */
function choose(chosen) {
  const { value } = /** @type {HTMLSelectElement} */ (chosen.currentTarget);
  seenFrom(value === "open" ? null : Number(value));
}

/** The view after so many actions, open or a seat's, in the form of a seat's.
 * @param {Replay} replay @param {HandRecord} record @param {readonly Step[]} made @returns {View} */
function seenAt({ at, seat, from }, record, made) {
  const first = made[0]?.view;
  const view = made[at - 1]?.view ?? (first && dealt(first, record));
  const you = from ?? seat?.seat ?? 0;
  return /** @type {View} */ ({ ...view, you: { seat: you, side: null, host: false } });
}

/** The hand before the first word: nobody has spoken, and all hold what they were dealt.
 * @param {View | OpenView} view after that word @param {HandRecord} record @returns {View | OpenView} */
function dealt(view, { dealer, monte }) {
  const nobody = {
    auction: [],
    contract: null,
    trick: null,
    tricks: [],
    thirds: null,
    turn: null,
    count: null,
  };
  const cards = "hands" in view ? monte : null;
  return /** @type {View} */ ({
    ...view,
    ...nobody,
    phase: "auction",
    match: { ...view.match, dealer },
    monte: { count: monte.length, shown: null, cards },
  });
}

/** @param {View} view @param {Words} words */
function scene(view, words) {
  if (!view.trick) {
    return html`<section class="felt" aria-label=${words.t("auction")}>${auction(view, words)}
      ${view.monte?.shown ? html`<p>${words.t("monte")}: ${words.t("monte_shown", { cards: words.cards(view.monte.shown) })}</p>` : nothing}</section>`;
  }
  const { count } = view;
  return html`${theTrick(view, words)}
    ${
      count
        ? html`<section class="count" aria-labelledby="count-title"><h2 id="count-title">${words.t("count")}</h2>
      ${sums(count, words)} ${payment(count, view.contract, words).map((told) => html`<p>${told}</p>`)}</section>`
        : nothing
    }`;
}

/** Who holds what: all hands of an open view, one of a seat's. @param {Replay} replay @param {View} view @param {Words} words */
function hands({ from, seat }, view, words) {
  const open = /** @type {unknown} */ (view);
  const held = /** @type {Partial<OpenView>} */ (open).hands;
  const order = [0, 1, 2].map((step) => ((from ?? seat?.seat ?? 0) + step) % 3);
  const { contract, turn, match, monte } = view;
  return html`<ul class="holders" aria-label=${words.t("watch_hands")}>
    ${order.map((who) => {
      const cards = held
        ? (held[who] ?? [])
        : who === from
          ? view.hand.map(({ card }) => card)
          : null;
      const facts = [
        turn?.seat === who ? html`<b class="mark">▶ ${words.t("to_move")}</b>` : nothing,
        contract?.soloist === who ? html`<b class="alone">♔ ${words.t("alone")}</b>` : nothing,
        match.dealer === who ? words.t("dealer") : nothing,
        words.t("cards_n", { n: cards?.length ?? view.seats[who]?.cards ?? 0 }),
      ].filter((fact) => fact !== nothing);
      return html`<li ?data-turn=${turn?.seat === who}><p><b>${words.who(who)}</b> <span class="facts">${facts.map((fact, i) => [i ? " · " : "", fact])}</span></p>
        ${cards?.length ? row(cards, held ? null : view, words) : nothing}</li>`;
    })}
    ${monte?.cards?.length ? html`<li><p><b>${words.t("monte")}</b> <span class="facts">${words.t("cards_n", { n: monte.cards.length })}</span></p>${row(monte.cards, null, words)}</li>` : nothing}
  </ul>`;
}

/** @param {readonly string[]} cards @param {View | null} view for what its rules bar @param {Words} words */
function row(cards, view, words) {
  const barred = new Map(view?.hand.map(({ card, why }) => [card, why]));
  const why = [...barred.values()].find(Boolean);
  return html`<ul class="held">${sorted(cards).map(
    (card) => html`<li class="card tiny" ?data-barred=${Boolean(barred.get(card))}>
      ${face(card, words.deck, words.lang)}<span class="unseen">${words.cardName(card)}</span></li>`,
  )}</ul>
    ${why ? html`<p class="quiet">${words.why(why)}</p>` : nothing}`;
}

/** The rules that applied, the foremost first. @param {readonly string[]} ids @param {Words} words */
function rulesOf(ids, words) {
  return html`<ul class="applied" aria-label=${words.t("watch_rules")}>
    ${ids.map((id) => html`<li><a href="#/rules/${id}">${id}</a> ${ruleText(id) ?? nothing}</li>`)}</ul>`;
}

/** Every move with its rules, to go to. @param {Replay} replay @param {readonly Step[]} made @param {Words} words */
function moves({ at }, made, words) {
  return html`<details class="moves"><summary>${words.t("watch_moves")}</summary>
    <ol>${made.map(
      ({ event, rules }, place) => html`<li aria-current=${place + 1 === at ? "step" : nothing}>
      <button type="button" class="plain" @click=${() => go(place + 1)}>${place + 1}. ${words.event(event)}</button>
      <span class="refs">${rules.map((id) => html`<a href="#/rules/${id}">${id}</a> `)}</span></li>`,
    )}</ol></details>`;
}
