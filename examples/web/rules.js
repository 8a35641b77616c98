// @ts-check
/** The rules in full: by section, each with its number as an anchor, and a filter. */

import { Problem, rules } from "./api.js";
import { redraw, state } from "./store.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";

/** @typedef {import("./store.js").Schemas["RulesModel"]} Book */
/** @typedef {import("./words.js").Words} Words */

/** @type {Map<string, Book | Problem | null>} by language; null: on its way */
const books = new Map();
let sought = "";
/** The anchor that was last gone to. */
let gone = "";

/** The rules in the language that is set; they are fetched if need be.
 * @returns {Book | Problem | null} */
export function book() {
  const { lang } = state.settings;
  if (!books.has(lang)) fetchBook(lang);
  return books.get(lang) ?? null;
}

/** @param {"en" | "it"} lang */
async function fetchBook(lang) {
  books.set(lang, null);
  try {
    books.set(lang, await rules(lang));
  } catch (why) {
    if (!(why instanceof Problem)) throw why;
    books.set(lang, why);
  }
  redraw();
}

/** A rule's text, once it has come. @param {string} id */
export function ruleText(id) {
  const found = book();
  if (!found || found instanceof Problem) return undefined;
  return found.sections.flatMap((section) => section.rules).find((rule) => rule.id === id)?.text;
}

/** @param {import("./store.js").State} state @param {Words} words */
export function rulesPage(state, words) {
  const found = book();
  requestAnimationFrame(goToAnchor);
  return html`<main id="main" class="rules" tabindex="-1">
    <h1 tabindex="-1">${words.t("rules_title")}</h1>
    ${found instanceof Problem ? fault(found, words) : found ? theBook(found, words) : html`<p role="status">${words.t("loading")}</p>`}
  </main>`;
}

/** @param {Problem} why @param {Words} words */
function fault({ code, params }, words) {
  const again = () => {
    books.delete(state.settings.lang);
    redraw();
  };
  return html`<p class="notice" role="alert" data-code=${code}>${words.problem(code, params)}
    <button type="button" @click=${again}>${words.t("again")}</button></p>`;
}

/** @param {Book} all @param {Words} words */
function theBook({ sections, choices }, words) {
  const parts = sought.split(/\s+/).map(plain).filter(Boolean);
  const fits = (/** @type {string[]} */ ...texts) =>
    parts.every((part) => texts.some((text) => plain(text).includes(part)));
  const left = sections
    .map(({ rules, ...rest }) => ({
      ...rest,
      rules: rules.filter(({ id, text }) => fits(id, text, rest.title)),
    }))
    .filter(({ rules }) => rules.length);
  const open = choices.filter(({ id, question, ruling }) => fits(id, question, ruling));
  const n = left.reduce((sum, { rules }) => sum + rules.length, open.length);
  return html`<label class="field"><span>${words.t("rules_find")}</span>
      <input type="search" autocomplete="off" .value=${sought} @input=${find} /></label>
    <p class="quiet" role="status">${parts.length ? words.t(n === 1 ? "rules_one" : "rules_n", { n }) : nothing}</p>
    ${
      parts.length
        ? nothing
        : html`<nav aria-label=${words.t("rules_sections")}><ul class="sections">
      ${sections.map(({ id, title }) => html`<li><a href="#/rules/${id}">${title}</a></li>`)}
      <li><a href="#/rules/open">${words.t("rules_open")}</a></li></ul></nav>`
    }
    ${repeat(
      left,
      ({ id }) => id,
      ({ id, title, rules }) => html`<section aria-labelledby="rule-${id}">
      <h2 id="rule-${id}" tabindex="-1">${title}</h2>
      <ul>${repeat(
        rules,
        (rule) => rule.id,
        (rule) => entry(rule.id, rule.text),
      )}</ul></section>`,
    )}
    ${
      open.length
        ? html`<section aria-labelledby="rule-open"><h2 id="rule-open" tabindex="-1">${words.t("rules_open")}</h2>
      <ul>${repeat(
        open,
        ({ id }) => id,
        ({ id, question, ruling }) => entry(id, html`${question} <b>${ruling}</b>`),
      )}</ul></section>`
        : nothing
    }`;
}

/** @param {string} id @param {unknown} text */
function entry(id, text) {
  return html`<li class="rule" id="rule-${id}" tabindex="-1"><a href="#/rules/${id}">${id}</a> <span>${text}</span></li>`;
}

/** @param {string} text without case and accents */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {Event} typed */
function find(typed) {
  sought = /** @type {HTMLInputElement} */ (typed.currentTarget).value;
  redraw();
}

/** Go to the rule or section that the address names, once it is there. */
function goToAnchor() {
  const [, name, id = ""] = location.hash.split("/");
  if (name !== "rules") gone = "";
  if (name !== "rules" || id === gone) return;
  if (id && sought) {
    sought = "";
    redraw();
    return;
  }
  const place = id ? document.getElementById(`rule-${id}`) : null;
  if (id && !place) return; // not drawn yet
  gone = id;
  place?.scrollIntoView({ block: "start" });
  place?.focus({ preventScroll: true });
}
