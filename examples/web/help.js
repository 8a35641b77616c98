// @ts-check
/** The rules in short, what the marks mean, and the keys. */

import { filled } from "./words.js";
import { html } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./words.js").Words} Words */

/** @param {Words} words @param {number} target */
export function help(words, target) {
  const rules = /** @type {Record<string, string>} */ (words.data.terminal.rules);
  const keys = /** @type {const} */ ([
    "key_arrows",
    "key_enter",
    "key_digits",
    "key_l",
    "key_s",
    "key_h",
  ]);
  const marks = /** @type {const} */ ([
    "mark_turn",
    "mark_alone",
    "mark_won",
    "mark_fresh",
    "mark_chosen",
    "mark_barred",
  ]);
  return html`<h3>${words.t("short_rules")}</h3>
    <ul>${Object.values(rules).map((rule) => html`<li>${filled(rule, { target })}</li>`)}</ul>
    <p><a class="button" href="#/rules">${words.t("all_rules")}</a></p>
    <h3>${words.t("marks")}</h3>
    <ul class="marks">${marks.map((mark) => html`<li>${words.t(mark)}</li>`)}</ul>
    <h3>${words.t("keys")}</h3>
    <ul>${keys.map((key) => html`<li>${words.t(key)}</li>`)}</ul>`;
}
