// @ts-check
/** The screen stays on while a match is played and seen, where the browser can do that. */

import { state } from "./store.js";

/** Asked for, and perhaps had; null: not wanted. @type {Promise<WakeLockSentinel | null> | null} */
let lock = null;

/** Whether a match at this page's table is under way, and is seen. */
function wanted() {
  const { route, sitting } = state;
  const view = sitting?.view;
  if (route.name !== "table" || !view || view.closed || sitting.state.name === "stopped")
    return false;
  const played = view.phase !== "waiting" && view.phase !== "finished";
  return played && document.visibilityState === "visible";
}

/** Keep the screen on or not, as the state says; called after each drawing. */
export function keepAwake() {
  if (!("wakeLock" in navigator) || wanted() === (lock !== null)) return;
  if (lock) {
    lock.then((held) => held?.release());
    lock = null;
  } else {
    // Refused where the battery is low: then the screen goes off as it always does.
    lock = navigator.wakeLock.request("screen").catch(() => null);
  }
}

// A browser lets go of it when the page is hidden.
document.addEventListener("visibilitychange", keepAwake);
