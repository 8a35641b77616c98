// @ts-check
import { html } from "./vendor/lit-html/lit-html.js";

/** @param {import("./store.js").State} state @param {import("./words.js").Words} words */
export function rulesPage(state, words) {
  return html`<main id="main" tabindex="-1"></main>`;
}
