// @ts-check
/** What has happened at the table, in words: the last lines, and all of it on demand. */

import { html } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";

/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Line} Line */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("../../clients/typescript/client.js").Event} Event */

const LAST = 3;

/** What a view tells of its hand so far: for a page that has just come.
 * @param {View} view @param {Words} words @returns {Line[]} */
export function story(view, words) {
  const { match, auction, contract, monte, tricks, trick, count } = view;
  /** @type {Event[]} */
  const events = [];
  if (view.phase !== "waiting")
    events.push({ kind: "dealt", deal: match.deal, dealer: match.dealer });
  const shown = monte?.shown ?? undefined;
  const spoken = auction.length - 1;
  auction.forEach(({ seat, bid }, place) => {
    const last = contract && place === spoken;
    const turned = last && !contract.called && contract.bid === "solo" && shown;
    events.push({
      kind: "bid",
      seat,
      bid,
      ...(last && { soloist: contract.soloist }),
      ...(turned && { monte_shown: shown }),
      ...(view.phase === "thrown_in" && place === spoken && { thrown_in: true }),
    });
  });
  if (contract?.called && contract.passed_by !== null)
    events.push({
      kind: "called",
      seat: contract.soloist,
      card: contract.called,
      passed_by: contract.passed_by,
      monte_shown: shown ?? [],
    });
  if (contract && contract.bid !== "solissimo" && trick)
    events.push({
      kind: "discarded",
      seat: contract.soloist,
      count: monte?.count ?? 0,
      ...(contract.given_back && { given_back: contract.given_back }),
    });
  for (const { plays, winner, thirds } of tricks)
    plays.forEach(({ seat, card }, place) => {
      const last = place === plays.length - 1;
      events.push({ kind: "card_played", seat, card, ...(last && { trick: { winner, thirds } }) });
    });
  for (const { seat, card } of tricks.length && trick?.plays.length === 3
    ? []
    : (trick?.plays ?? []))
    events.push({ kind: "card_played", seat, card });
  const last = events.at(-1);
  if (count && last?.kind === "card_played") last.count = count;
  return events
    .map((event, place) => ({ key: `${match.deal}/${place}`, text: words.event(event) }))
    .filter(({ text }) => text);
}

/** The last lines, read out as they come. @param {Sitting} sitting @param {Words} words */
export function lastLines({ log }, words) {
  return html`<div class="log" role="log" aria-label=${words.t("log")}>
    <ol>${repeat(
      log.slice(-LAST),
      ({ key }) => key,
      ({ text }) => html`<li>${text}</li>`,
    )}</ol>
  </div>`;
}

/** All of it. @param {Sitting} sitting */
export function wholeLog({ log }) {
  return html`<ol class="whole-log">
    ${repeat(
      log,
      ({ key }) => key,
      ({ text }) => html`<li>${text}</li>`,
    )}
  </ol>`;
}
