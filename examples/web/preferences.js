// @ts-check
/** What a person may set. */

import { CHOICES, keep } from "./settings.js";
import { change, state } from "./store.js";
import { html } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./words.js").Key} Key */

/** @param {Words} words */
export function preferences(words) {
  const { settings } = state;
  return html`<form class="settings">
    ${Object.entries(CHOICES).map(
      ([name, values]) => html`<fieldset class="row">
      <legend>${words.t(/** @type {Key} */ (`set_${name}`))}</legend>
      ${values.map(
        (value) => html`<label><input type="radio" name=${name} value=${value}
        .checked=${settings[/** @type {keyof Settings} */ (name)] === value} @change=${() => set(name, value)} />${label(name, value, words)}</label>`,
      )}
    </fieldset>`,
    )}
  </form>`;
}

/** @param {string} name @param {string} value @param {Words} words */
function label(name, value, words) {
  return words.t(
    /** @type {Key} */ (value === "on" || value === "off" ? value : `${name}_${value}`),
  );
}

/** @param {string} name @param {string} value */
function set(name, value) {
  const settings = { ...state.settings, [name]: value };
  keep(settings);
  change({ settings });
}
