// @ts-check
/** What the analysis says of a hand and of each of its cards: in hindsight, and called that. */

import { study, to } from "./replay.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./replay.js").Analysis} Analysis */
/** @typedef {import("./words.js").Words} Words */

/** The panel beside the move; a sample hand has none. @param {Replay} replay @param {Words} words */
export function hindsight(replay, words) {
  const { seat, study: of } = replay;
  if (!seat) return nothing;
  return html`<div class="hindsight" data-study=${of.is}>${told(replay, words)}</div>`;
}

/** @param {Replay} replay @param {Words} words */
function told(replay, words) {
  const of = replay.study;
  switch (of.is) {
    case "none":
      return html`<button type="button" data-study-ask @click=${study}>${words.t("study_ask")}</button>
        <span class="quiet">${words.t("study_lead")}</span>`;
    case "asked":
      return html`<p role="status">${words.t(of.state === "queued" ? "study_queued" : "study_running")}</p>`;
    case "refused":
      return html`<p role="status" data-code=${of.why.code}>${words.problem(of.why.code, of.why.params)}
        ${of.why.code === "no_solver" ? nothing : html`<button type="button" @click=${study}>${words.t("again")}</button>`}</p>`;
    default:
      return html`<h2>${words.t("study_title")}</h2>${card(replay, of.found, words)}${whole(replay, of.found, words)}`;
  }
}

/** The card just played. @param {Replay} replay @param {Analysis} found @param {Words} words */
function card({ at, record }, { cards, need }, words) {
  const before = (record?.actions.length ?? 0) - cards.length;
  const judged = cards[at - 1 - before];
  if (!judged) return nothing;
  const { lost, best, value } = judged;
  const others = words.list(best.map((card) => words.card(card)));
  return html`<p class="judged" data-lost=${lost}>
    ${lost ? words.t("study_lost", { thirds: words.amount("third", lost), cards: others }) : words.t("study_fine")}
    ${words.t("study_value", { thirds: words.amount("third", value), need })}</p>`;
}

/** The hand as a whole. @param {Replay} replay @param {Analysis} found @param {Words} words */
function whole({ record }, { start, final, makeable, lost, turning, cards }, words) {
  const third = (/** @type {number} */ n) => words.amount("third", n);
  const place = (record?.actions.length ?? 0) - cards.length + (turning ?? 0) + 1;
  return html`<ul>
    <li>${words.t(makeable ? "study_makeable" : "study_not_makeable", { thirds: third(start) })} ${words.t("study_final", { thirds: third(final) })}</li>
    <li>${words.t("study_sides", { soloist: third(lost.soloist), defenders: third(lost.defenders) })}</li>
    ${turning === null ? nothing : html`<li><button type="button" class="plain" @click=${() => to(place)}>${words.t("study_turning", { n: place })}</button></li>`}
  </ul><p class="quiet">${words.t("study_warning")}</p>`;
}
