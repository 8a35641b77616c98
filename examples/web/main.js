// @ts-check
/** The page starts here: words and settings, the address, and drawing. */

import { words as wordsOf } from "./api.js";
import { keepAwake } from "./awake.js";
import { dialog, follow as followDialog, notice } from "./dialogs.js";
import { doors } from "./doors.js";
import { key } from "./keys.js";
import { rules, watch } from "./later.js";
import { leave, refused, sit } from "./line.js";
import { join, linked, noSeat } from "./lobby.js";
import { story } from "./log.js";
import { here } from "./routes.js";
import { alert } from "./say.js";
import { seatAt } from "./seats.js";
import { elsewhere, follow, show } from "./settings.js";
import { change, drawn, redraw, state } from "./store.js";
import { table } from "./table.js";
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { Words } from "./words.js";

/** After how long the first words are asked for again, in ms. */
const RETRY = 2000;

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @param {Words} words */
function screen(words) {
  switch (state.route.name) {
    case "join":
      return join(state, words);
    case "table":
      return state.sitting || seatAt(state.route.table) ? table(state, words) : noSeat(words);
    case "watch":
    case "sample":
      return watch.here?.watchPage(state, words) ?? awaited(watch, words);
    case "rules":
      return rules.here?.rulesPage(state, words) ?? awaited(rules, words);
    default:
      return doors(state, words);
  }
}

/** @param {typeof watch | typeof rules} part of which the screen is @param {Words} words */
function awaited(part, words) {
  const { route } = state;
  const title =
    route.name === "watch"
      ? words.t("watch_title", { n: route.deal })
      : words.t(route.name === "rules" ? "rules_title" : "sample_title");
  return html`<main id="main" tabindex="-1"><h1 tabindex="-1">${title}</h1>${part.awaited(words)}</main>`;
}

function draw() {
  const { words, sitting } = state;
  if (!words) return;
  document.querySelector(".boot")?.remove();
  render(
    html`<header class="bar">
        <button type="button" class="skip plain" @click=${() => document.getElementById("main")?.focus()}>${words.t("skip")}</button>
        <a class="home" href="#/">${words.t("title")}</a>
        <nav>${
          state.route.name === "table" && sitting?.view
            ? html`${
                sitting.view.phase === "waiting"
                  ? nothing
                  : html`<button type="button" class="plain" @click=${() => change({ dialog: "last" })}>${words.t("last_trick")}</button>`
              }
              <button type="button" class="plain" @click=${() => change({ dialog: "menu" })}>${words.t("menu")}</button>`
            : html`<button type="button" class="plain" @click=${() => change({ dialog: "help" })}>${words.t("help")}</button>
              <button type="button" class="plain" @click=${() => change({ dialog: "settings" })}>${words.t("settings")}</button>`
        }</nav>
      </header>
      ${state.dialog ? nothing : notice(words)}
      ${screen(words)} ${dialog(words)}`,
    page,
  );
  followDialog();
  refocus();
  document.title = words.t(
    sitting?.view?.options && state.route.name === "table" ? "title_turn" : "title",
  );
}

/** What had the focus last. @type {Element | null} */
let held = null;

/** A focus whose place is gone goes on where the next thing is to do. */
function refocus() {
  if (!held || held.isConnected || document.activeElement !== document.body) return;
  const order = ["#count-title", ".choice .option", ".hand [tabindex='0']", "#status", "#main"];
  const next = order.map((place) => document.querySelector(place)).find(Boolean);
  if (next instanceof HTMLElement) next.focus();
}

/** Go where the address leads. */
function arrive() {
  const route = here();
  const { sitting, route: before } = state;
  if (route.name === "table" && sitting?.seat.table !== route.table) {
    const seat = seatAt(route.table);
    change({ route, notice: null, dialog: null });
    if (seat) sit(seat);
    else {
      leave();
      const { words } = state;
      if (words) alert(`${words.t("no_seat")} ${words.t("no_seat_lead")}`);
    }
  } else if (route.name === "join" && linked(route)) {
    return;
  } else {
    if (route.name === "doors" || route.name === "join") leave();
    change({ route, notice: null, dialog: null });
  }
  if (before.name !== route.name) scrollTo(0, 0);
}

/** The words that were asked for last, and have not come. @type {string | null} */
let asked = null;

/** The language's words; a language that is chosen is spoken when its words have come. */
async function speak() {
  const { settings, words } = state;
  const wanted = `${settings.lang} ${settings.deck}`;
  if (asked === wanted || (words?.lang === settings.lang && words.deck === settings.deck)) return;
  asked = wanted;
  try {
    const data = words?.lang === settings.lang ? words.data : await wordsOf(settings.lang);
    asked = null;
    spoken(new Words(data, settings));
  } catch (why) {
    const again = () => ((asked = null), speak());
    if (state.words) refused(why, again);
    else setTimeout(again, RETRY);
  }
}

/** From now on everything is told in these words, what has happened too.
 * @param {Words} words */
function spoken(words) {
  const { sitting } = state;
  if (sitting?.view) {
    words.about(sitting.view);
    sitting.log = story(sitting.view, words);
  }
  change({ words });
}

show(state.settings);
follow(() => show(state.settings));
elsewhere((settings) => {
  show(settings);
  change({ settings });
});
drawn(() => {
  draw();
  speak();
  keepAwake();
});
await speak();
addEventListener("hashchange", arrive);
addEventListener("focusin", ({ target }) => (held = target instanceof Element ? target : null));
addEventListener("keydown", key);
setInterval(() => {
  const { sitting } = state;
  if (!sitting) return;
  state.now = Date.now();
  const { state: line, away, view } = sitting;
  if (line.name === "waiting" || Object.keys(away).length || view?.turn?.deadline) redraw();
}, 1000);
arrive();
