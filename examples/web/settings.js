// @ts-check
/** What a person has set, kept in this browser and shown as data-attributes of <html>. */

/** The values that each setting may have; the first is the default. */
export const CHOICES = /** @type {const} */ ({
  lang: ["en", "it"],
  deck: ["french", "italian"],
  suits: ["four", "two"],
  scheme: ["auto", "light", "dark"],
  contrast: ["normal", "high"],
  text: ["normal", "large", "larger"],
  motion: ["auto", "none", "less", "full"],
  hand: ["right", "left"],
  sounds: ["off", "on"],
  confirm: ["off", "on"],
  hints: ["off", "on"],
  keys: ["on", "off"],
});

/** @typedef {typeof CHOICES} Choices */
/** @typedef {{ -readonly [name in keyof Choices]: Choices[name][number] }} Settings */

const KEY = "terziglio.settings";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

/** @returns {Settings} */
function defaults() {
  const first = Object.entries(CHOICES).map(([name, values]) => [name, values[0]]);
  const italian = navigator.languages.some(
    (lang) => /^(it|en)/.test(lang) && lang.startsWith("it"),
  );
  const made = /** @type {Settings} */ (Object.fromEntries(first));
  if (italian) [made.lang, made.deck] = ["it", "italian"];
  if (contrast.matches) made.contrast = "high";
  return made;
}

/** The settings as they were kept; what is not known any more is as at first. */
export function kept() {
  const made = defaults();
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const [name, values] of Object.entries(CHOICES))
      if (values.some((value) => value === found[name]))
        Object.assign(made, { [name]: found[name] });
  } catch {
    // Nothing was kept, or not by this page.
  }
  return made;
}

/** @param {Settings} settings */
export function keep(settings) {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing: they hold until the page is left.
  }
  show(settings);
}

/** Put them on <html>, where the style sheets read them. @param {Settings} settings */
export function show(settings) {
  const root = document.documentElement;
  root.lang = settings.lang;
  for (const [name, value] of Object.entries(settings)) root.dataset[name] = value;
  if (settings.motion === "auto") root.dataset.motion = still.matches ? "none" : "full";
  if (settings.scheme === "auto") root.dataset.scheme = dark.matches ? "dark" : "light";
}

/** Call back with what was set in another tab. @param {(settings: Settings) => void} changed */
export function elsewhere(changed) {
  addEventListener("storage", ({ key }) => {
    if (key === KEY || key === null) changed(kept());
  });
}

/** Call back when the system's own settings change. @param {() => void} changed */
export function follow(changed) {
  for (const query of [still, dark]) query.addEventListener("change", changed);
}
