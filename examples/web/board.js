// @ts-check
/** The table around the cards: who sits where, whose move it is, how hand and match stand. */

import { local } from "./api.js";
import { place } from "./trick.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { capital } from "./words.js";

/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./words.js").Words} Words */

/** The three seats, yours last; the next to play sits at your right.
 * @param {Sitting} sitting @param {View} view @param {Words} words @param {number} now */
export function seats(sitting, view, words, now) {
  const order = [1, 2, 0].map((step) => (view.you.seat + step) % 3);
  return html`<ul class="seats" aria-label=${words.t("opponents")}>
    ${order.map((seat) => theSeat(seat, sitting, view, words, now))}
  </ul>`;
}

/** @param {number} seat @param {Sitting} sitting @param {View} view @param {Words} words @param {number} now */
function theSeat(seat, { away }, view, words, now) {
  const { match, turn, you, phase } = view;
  const at = view.seats[seat];
  if (!at) return nothing;
  const on = turn?.seat === seat;
  const since = away[seat];
  const playing = phase !== "waiting";
  /** @type {unknown[]} */
  const told = [];
  if (on) told.push(html`<b class="mark">▶ ${words.t("to_move")}</b>`);
  if (at.player) told.push(words.data.players[at.player] ?? at.player);
  if (at.side === "soloist") told.push(html`<b class="alone">♔ ${words.t("alone")}</b>`);
  if (playing && match.dealer === seat) told.push(words.t("dealer"));
  if (playing && seat !== you.seat && at.cards) told.push(words.t("cards_n", { n: at.cards }));
  if (at.wants_next) told.push(words.t("wants_next"));
  if (on && turn.deadline)
    told.push(
      html`<b class="left">${words.t("time_left", { clock: words.clock((local(turn.deadline) - now) / 1000) })}</b>`,
    );
  if (since !== undefined)
    told.push(
      html`<b class="away">${words.t("away", { clock: words.clock((now - since) / 1000) })}</b>`,
    );
  return html`<li class="seat" data-place=${place(seat, you.seat)} ?data-turn=${on} data-side=${at.side ?? ""}>
    <span class="name">${words.who(seat)}</span>
    <span class="facts">${told.map((part, i) => [i ? " · " : "", part])}</span>
  </li>`;
}

/** @param {number} n */
export function signed(n) {
  return n < 0 ? `−${-n}` : `${n}`;
}

/** What you are asked for: the whole of it, also the card that goes back.
 * @param {View} view @param {Words} words @returns {string} */
export function ask({ options, contract }, words) {
  if (options?.type === "discard" && options.give_back)
    return words.t("ask_discard_back", { who: words.seat(Number(contract?.passed_by)) });
  return words.t(`ask_${options?.type ?? "play"}`);
}

/** Who has won the hand, and by how much. @param {View} view @param {Words} words @returns {string} */
function outcome({ count, contract, you }, words) {
  if (!count || !contract) return words.t("count");
  const { won, soloist, defenders } = count;
  const mine = contract.soloist === you.seat;
  const key = won ? (mine ? "hand_won_you" : "hand_won") : mine ? "hand_lost_you" : "hand_lost";
  return words.t(key, { who: words.seat(contract.soloist), soloist, defenders });
}

/** Whose move it is, in one sentence. @param {View} view @param {Words} words @returns {string} */
export function status(view, words) {
  const { phase, turn, you, match, options } = view;
  if (view.closed) return words.t("table_ended");
  if (phase === "waiting") return words.t("waiting_seats");
  if (phase === "thrown_in") return words.t("thrown_in");
  if (phase === "count") return outcome(view, words);
  if (phase === "finished")
    return match.winner === you.seat
      ? words.t("match_yours")
      : words.t("match_over", { who: words.seat(match.winner ?? 0) });
  if (options) return words.t("turn_yours", { ask: ask(view, words) });
  const who = words.seat(turn?.seat ?? 0);
  if (phase === "auction") return words.t("turn_bid", { who });
  if (phase === "call") return words.t("turn_call", { who });
  if (phase === "exchange") return words.t("turn_discard", { who });
  const leads = !view.trick?.plays.length || view.trick.plays.length === 3;
  return words.t(leads ? "turn_lead" : "turn_play", { who });
}

/** Contract, thirds, trick and match. @param {Sitting} sitting @param {View} view @param {Words} words */
export function facts({ seat: { again } }, view, words) {
  const { contract, thirds, tricks, match, phase } = view;
  if (phase === "waiting") return nothing;
  const number = Math.min(12, tricks.length + (view.trick?.plays.length === 3 ? 0 : 1));
  return html`<dl class="facts">
    <div><dt>${words.t("contract")}</dt><dd>${contractLine(view, words)}</dd></div>
    ${
      contract && thirds && phase === "play"
        ? html`<div><dt>${words.t("thirds")}</dt><dd>${side("soloist", thirds.soloist, words)} · ${side("defenders", thirds.defenders, words)}
            <span class="quiet">(${words.t("needed")})</span></dd></div>
          <div><dt>${words.t("trick")}</dt><dd>${words.t("trick_of", { n: number })}</dd></div>`
        : nothing
    }
    <div><dt>${words.t("match", { target: match.target })}</dt><dd>${
      again
        ? words.t("unscored")
        : match.scores.map((score, seat) => `${words.who(seat)}: ${signed(score)}`).join(" · ")
    }</dd></div>
  </dl>`;
}

/** @param {"soloist" | "defenders"} name @param {number} n @param {Words} words */
function side(name, n, words) {
  return words.t("side_thirds", { side: words.data.sides[name], n });
}

/** @param {View} view @param {Words} words @returns {string} */
export function contractLine({ contract }, words) {
  if (!contract) return words.t("no_contract");
  const { bid, soloist, stake, called, passed_by, given_back } = contract;
  const told = [
    words.t("contract_line", { bid: words.data.bids[bid], who: words.who(soloist), stake }),
  ];
  const card = called && words.card(called);
  if (card && passed_by === "monte") told.push(words.t("called_monte", { card }));
  else if (card && passed_by === words.you) told.push(words.t("called_yours", { card }));
  else if (card && typeof passed_by === "number")
    told.push(words.t("called_from", { card, who: words.seat(passed_by) }));
  if (given_back) told.push(words.t("given_back", { card: words.card(given_back) }));
  return told.join("; ");
}

/** The auction so far. @param {View} view @param {Words} words */
export function auction({ auction }, words) {
  if (!auction.length) return html`<p class="quiet">${words.t("auction_none")}</p>`;
  return html`<ol class="auction" aria-label=${words.t("auction")}>
    ${auction.map(({ seat, bid }) => html`<li><span>${words.who(seat)}</span> <b>${words.data.bids[bid]}</b></li>`)}
  </ol>`;
}

/** The scores, as a page of its own. @param {Sitting} sitting @param {View} view @param {Words} words */
export function scores(sitting, view, words) {
  const { match, monte } = view;
  return html`<table>
      <caption>${words.t("match", { target: match.target })}</caption>
      <thead><tr><th scope="col">${words.t("seat_word")}</th><th scope="col">${words.t("match_points")}</th></tr></thead>
      <tbody>${match.scores.map((score, seat) => html`<tr><th scope="row">${capital(words.who(seat))}</th><td>${signed(score)}</td></tr>`)}</tbody>
    </table>
    ${facts(sitting, view, words)}
    ${monte?.shown ? html`<p>${words.t("monte")}: ${words.t("monte_shown", { cards: words.cards(monte.shown) })}</p>` : nothing}
    ${monte?.cards && !view.count ? html`<p>${words.t("monte")}: ${words.t("monte_laid", { cards: words.cards(monte.cards) })}</p>` : nothing}`;
}
