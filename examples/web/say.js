// @ts-check
/** What must be heard at once: your turn, and refusals. The rest is in the log. */

/** @param {string} text said by a screen reader before anything else */
export function alert(text) {
  // What lies behind an open dialog is not read.
  const line =
    document.querySelector("dialog[open] [role=alert]") ?? document.getElementById("alert");
  if (!line) return;
  // The same text twice is two events: a reader hears a change only.
  line.textContent = line.textContent === text ? `${text}\u00a0` : text;
}
