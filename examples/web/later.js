// @ts-check
/** Parts of the page that are fetched when they are first shown: who plays waits for less. */

import { words as wordsOf } from "./api.js";
import { redraw, state } from "./store.js";
import { html } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./words.js").Words} Words */

/** @template Module */
class Part {
  /** The part, once it has come. @type {Module | null} */
  here = null;
  #how;
  /** @type {"none" | "coming" | "failed"} */
  #stand = "none";

  /** @param {() => Promise<Module>} how */
  constructor(how) {
    this.#how = how;
  }

  /** What is shown in its place meanwhile; it is fetched. @param {Words} words */
  awaited(words) {
    if (this.#stand === "none") this.#load();
    if (this.#stand === "coming") return html`<p role="status">${words.t("loading")}</p>`;
    return html`<p class="notice" role="alert" data-code="part_missing">${words.t("part_missing")}
      <button type="button" @click=${() => this.#again()}>${words.t("again")}</button></p>`;
  }

  async #load() {
    this.#stand = "coming";
    try {
      this.here = await this.#how();
    } catch (why) {
      console.error(why); // the browser's words, for who writes the page
      this.#stand = "failed";
    }
    redraw();
  }

  /** Most browsers hold that a module which once failed always will, until the page is loaded
   * anew: that loses nothing, but is of use only if the service can be reached. */
  async #again() {
    if (this.#stand === "coming") return;
    const asked = this.#load();
    redraw();
    await asked;
    if (this.here) return;
    const reached = await wordsOf(state.settings.lang).catch(() => null);
    if (reached) location.reload();
  }
}

export const rules = new Part(() => import("./rules.js"));
export const voice = new Part(() => import("./voice.js"));
export const watch = new Part(() => import("./watch.js"));
