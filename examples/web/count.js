// @ts-check
/** The end of a hand: what it brought and what next, then the count line by line and the monte. */

import { signed } from "./board.js";
import { face } from "./cards.js";
import { goOn, ready } from "./line.js";
import { filled } from "./words.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./store.js").Schemas} Schemas */
/** @typedef {import("./words.js").Words} Words */

/** @param {Sitting} sitting @param {View} view @param {Words} words */
export function theCount(sitting, view, words) {
  const { count, monte, match } = view;
  return html`<section class="count" aria-labelledby="count-title">
    <h2 id="count-title" tabindex="-1">${words.t("count")}</h2>
    <div class="outcome">
    ${
      count
        ? html`<table>
        <caption>${words.t("match", { target: match.target })}</caption>
        <thead><tr><th scope="col">${words.t("seat_word")}</th><th scope="col">${words.t("hand_points")}</th><th scope="col">${words.t("match_points")}</th></tr></thead>
        <tbody>${match.scores.map(
          (score, seat) => html`<tr><th scope="row">${words.who(seat)}</th>
          <td>${gained(count.delta[seat] ?? 0)}</td><td>${sitting.seat.again ? "–" : signed(score)}</td></tr>`,
        )}</tbody>
      </table>
      ${view.phase === "count" && Math.max(...match.scores) >= match.target ? html`<p>${words.data.terminal.tie}</p>` : nothing}`
        : nothing
    }
    ${what(sitting, view, words)}
    </div>
    ${
      count
        ? html`<div class="how">${sums(count, words)}
      ${payment(count, view.contract, words).map((told) => html`<p>${told}</p>`)}
      ${monte?.cards ? turnedUp(monte.cards, words) : nothing}</div>`
        : nothing
    }
  </section>`;
}

/** @param {readonly string[]} cards @param {Words} words */
function turnedUp(cards, words) {
  return html`<p class="monte-was">${words.t("monte_was", { cards: words.cards(cards) })}</p>
    <div class="turned-up" aria-hidden="true">${cards.map((card) => html`<span class="card tiny">${face(card, words.deck, words.lang)}</span>`)}</div>`;
}

/** @param {number} n */
function gained(n) {
  return n > 0 ? `+${n}` : signed(n);
}

/** How the 35 thirds came together. @param {Schemas["Count"]} count @param {Words} words */
export function sums({ steps }, words) {
  return html`<table class="sums">
    <caption class="unseen">${words.t("thirds")}</caption>
    <thead><tr><th scope="col">${words.t("count_what")}</th><th scope="col">${words.data.sides.soloist}</th><th scope="col">${words.data.sides.defenders}</th></tr></thead>
    <tbody>${steps.map(
      ({
        what,
        soloist,
        defenders,
      }) => html`<tr data-what=${what}><th scope="row">${words.data.count[what] ?? what}</th>
      <td>${soloist}</td><td>${defenders}</td></tr>`,
    )}</tbody>
  </table>`;
}

/** Outcome, stake and multiplier, in sentences.
 * @param {Schemas["Count"]} count @param {View["contract"]} contract @param {Words} words
 * @returns {string[]} */
export function payment({ won, soloist, bonus, stake, multiplier, payment }, contract, words) {
  const say = words.data.terminal;
  const thirds = words.amount("third", soloist);
  const points = words.amount("point", payment);
  const bid = words.data.bids[contract?.bid ?? ""];
  const told = bonus && words.data.bonuses[bonus];
  return [
    filled(say[won ? "outcome.won" : "outcome.lost"], { thirds }),
    filled(say.stake, { bid, points: words.amount("point", stake) }),
    told
      ? filled(say["stake.times"], {
          bonus: told.charAt(0).toUpperCase() + told.slice(1),
          stake,
          multiplier,
          payment,
        })
      : say["stake.once"],
    filled(say[won ? "paid.won" : "paid.lost"], { points }),
  ];
}

/** What can be done now. @param {Sitting} sitting @param {View} view @param {Words} words */
function what(sitting, view, words) {
  const { you, seats, phase, match } = view;
  if (view.closed)
    return html`<div class="actions">${watch(sitting, match.deal, words)}<a class="button main" href="#/">${words.t("new_table")}</a></div>`;
  const asked = seats[you.seat]?.wants_next;
  const late = seats
    .filter(({ kind, wants_next }) => kind !== "computer" && !wants_next)
    .map(({ seat }) => words.seat(seat));
  return html`<div class="actions">
    ${watch(sitting, match.deal, words)}
    ${
      asked
        ? html`<p role="status">${words.t("asked", { who: words.list(late) })}</p>`
        : html`<button type="button" class="main" data-next aria-disabled=${String(!ready(sitting))} @click=${goOn}>
          ${words.t(phase === "finished" ? "rematch" : "next_hand")}</button>`
    }
  </div>`;
}

/** @param {Sitting} sitting @param {number} deal @param {Words} words */
function watch({ seat }, deal, words) {
  if (!seat.hands.includes(deal)) return nothing;
  return html`<a class="button" href="#/watch/${seat.table}/${deal}">${words.t("watch")}</a>`;
}
