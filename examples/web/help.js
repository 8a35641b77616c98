// @ts-check
/** The keys, and the rules in short. */

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
  return html`<h3>${words.t("short_rules")}</h3>
    <ul>${Object.values(rules).map((rule) => html`<li>${filled(rule, { target })}</li>`)}</ul>
    <p><a class="button" href="#/rules">${words.t("all_rules")}</a></p>
    <h3>${words.t("keys")}</h3>
    <ul>${keys.map((key) => html`<li>${words.t(key)}</li>`)}</ul>`;
}
