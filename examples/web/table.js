// @ts-check
/** The screen of a table: the parts put together for the phase it is in. */

import { auction, facts, seats, status } from "./board.js";
import { choice } from "./choose.js";
import { theCount } from "./count.js";
import { yourHand } from "./hand.js";
import { voice } from "./later.js";
import { ready, sit } from "./line.js";
import { lobby } from "./lobby.js";
import { lastLines } from "./log.js";
import { theTrick } from "./trick.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./store.js").State} State */
/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./words.js").Words} Words */

/** @param {State} state @param {Words} words */
export function table({ sitting, now }, words) {
  if (!sitting) return nothing;
  const { view } = sitting;
  const still = !ready(sitting);
  return html`<main id="main" class="table" data-phase=${view?.phase ?? ""} aria-busy=${String(still)} tabindex="-1">
    ${banner(sitting, words, now)}
    ${
      view
        ? html`
      <h1 id="status" class="status" tabindex="-1" data-yours=${String(view.options !== null)}>${status(view, words)}</h1>
      <div class="around">
        ${view.phase === "waiting" ? nothing : seats(sitting, view, words, now)}
        <div class="middle">${middle(sitting, view, words)}</div>
      </div>
      <div class="own">
        ${view.hand.length ? yourHand(sitting, view, words) : nothing}
        ${choice(sitting, view, words)}
      </div>
      <div class="side">
        ${facts(sitting, view, words)} ${lastLines(sitting, words)} ${view.voice ? voiceOf(sitting, view, words) : nothing}
      </div>`
        : html`<h1 class="status">${words.t(sitting.state.name === "stopped" ? "title" : "loading")}</h1>`
    }
  </main>`;
}

/** @param {Sitting} sitting @param {View} view @param {Words} words */
function voiceOf(sitting, view, words) {
  if (voice.here) return voice.here.voicePanel(sitting, view, words);
  return html`<section class="voice" aria-labelledby="voice-title"><h2 id="voice-title">${words.t("voice")}</h2>${voice.awaited(words)}</section>`;
}

/** @param {Sitting} sitting @param {View} view @param {Words} words */
function middle(sitting, view, words) {
  switch (view.phase) {
    case "waiting":
      return lobby(sitting, view, words);
    case "auction":
    case "call":
    case "exchange":
    case "thrown_in":
      return html`<section class="felt" aria-label=${words.t("auction")}>${auction(view, words)}
        ${view.monte?.shown ? html`<p>${words.t("monte")}: ${words.t("monte_shown", { cards: words.cards(view.monte.shown) })}</p>` : nothing}</section>`;
    case "play":
      return theTrick(view, words);
    default:
      return html`${theCount(sitting, view, words)}
        ${view.tricks.length ? html`<h2>${words.t("last_trick")}</h2>${theTrick(view, words)}` : nothing}`;
  }
}

/** How the line stands, when that must be known. @param {Sitting} sitting @param {Words} words @param {number} now */
function banner({ seat, state, retry_at, view, slow, back }, words, now) {
  const told =
    state.name === "waiting"
      ? words.t("retry_in", { n: Math.max(0, Math.ceil((retry_at - now) / 1000)) })
      : state.name === "connecting"
        ? words.t("connecting")
        : state.name === "stopped"
          ? words.t("stopped", { why: stopped(state.code, words) })
          : slow
            ? words.t("sending")
            : back
              ? words.t("back_in")
              : "";
  const bad = state.name !== "live";
  // The seconds are not read out one by one: that the line broke has been said.
  const role = state.name === "waiting" ? "timer" : "status";
  return html`<p class="banner" role=${role} data-state=${state.name} ?hidden=${!told} ?data-bad=${bad && view !== null}>
    ${told}
    ${
      state.name !== "stopped"
        ? nothing
        : state.code === 4401
          ? html`<a class="button" href="#/">${words.t("new_table")}</a>`
          : html`<button type="button" @click=${() => sit(seat)}>${words.t("sit_again")}</button>`
    }
  </p>`;
}

/** @param {number} code @param {Words} words @returns {string} */
function stopped(code, words) {
  switch (code) {
    case 1009:
    case 4401:
    case 4403:
    case 4409:
    case 4426:
      return words.t(`stopped_${code}`);
    default:
      return words.t("stopped_1000");
  }
}
