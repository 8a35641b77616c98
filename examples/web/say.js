// @ts-check
/** What must be heard at once: your turn, and refusals. The rest is in the log. */

/** @param {string} text said by a screen reader before anything else */
export function alert(text) {
  const line = document.getElementById("alert");
  if (!line) return;
  // The same text twice is two events: a reader hears a change only.
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}
