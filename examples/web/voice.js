// @ts-check
/** Voice between the three seats. */

/** @param {number} from @param {unknown} data */
export function heard(from, data) {}

export function stop() {}

/** @param {import("./store.js").Sitting} sitting @param {import("./store.js").View} view @param {import("./words.js").Words} words @returns {unknown} */
export function voicePanel(sitting, view, words) {
  return "";
}
