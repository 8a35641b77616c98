// @ts-check
/** The first page: two doors, the tables that are yours already, and a way in for newcomers. */

import { openTable, Problem } from "./api.js";
import { refused } from "./line.js";
import { go } from "./routes.js";
import { forget, keepSeat, seats } from "./seats.js";
import { change, redraw, state } from "./store.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @typedef {import("./store.js").State} State */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./api.js").OpenRequest} OpenRequest */

const TARGETS = [7, 11, 21];
const NAME = "terziglio.name";
const PLAYER = /** @type {const} */ (["house", "rules", "search", "expert", "random"]);

export function keptName() {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name */
export function keepName(name) {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // It is asked again the next time.
  }
}

/** What a request says that has a person's name in it: nothing else of it may be malformed.
 * @param {unknown} why */
export function named(why) {
  return why instanceof Problem && why.code === "malformed" ? new Problem("name_bad") : why;
}

/** @param {State} state @param {Words} words */
export function doors(state, words) {
  const mine = seats();
  return html`<main id="main" class="doors" tabindex="-1">
    <h1 class="unseen">${words.t("title")}</h1>
    <p class="lead">${words.t("lead")}</p>
    ${
      mine.length
        ? html`<section aria-labelledby="mine"><h2 id="mine">${words.t("your_tables")}</h2>
      <ul class="mine">${mine.map(
        ({ table, mode, at, others }) => html`<li>
        <a class="button" href="#/table/${table}">${words.t("go_back_to", { what: words.t(`kept_${mode}`) })}</a>
        ${others?.length ? html`<span>${words.t("kept_with", { who: words.list(others) })}</span>` : nothing}
        <span class="quiet">${new Date(at).toLocaleString(words.lang, { dateStyle: "medium", timeStyle: "short" })}</span>
        <button type="button" class="plain" @click=${() => (forget(table), redraw())}>${words.t("forget")}</button>
      </li>`,
      )}</ul></section>`
        : nothing
    }
    <div class="two">
      <form class="door" @submit=${openComputer} aria-labelledby="door-computer">
        <h2 id="door-computer">${words.t("computer_table")}</h2>
        <p>${words.t("computer_lead")}</p>
        ${player(1, words)} ${player(2, words)} ${target("computer", words)}
        <button class="main" aria-disabled=${String(state.waiting)}>${words.t("open_computer")}</button>
      </form>
      <form class="door" @submit=${openFriends} aria-labelledby="door-friends">
        <h2 id="door-friends">${words.t("friends_table")}</h2>
        <p>${words.t("friends_lead")}</p>
        ${nameField(words)} ${target("friends", words)}
        <fieldset class="row"><legend>${words.t("voice")}</legend>
          <label><input type="radio" name="voice" value="off" checked />${words.t("voice_off")}</label>
          <label><input type="radio" name="voice" value="on" />${words.t("voice_on")}</label>
        </fieldset>
        <button class="main" aria-disabled=${String(state.waiting)}>${words.t("open_friends")}</button>
      </form>
    </div>
    <section aria-labelledby="learn"><h2 id="learn">${words.t("learn")}</h2>
      <p class="actions start"><a class="button" href="#/sample">${words.t("see_sample")}</a> <a class="button" href="#/rules">${words.t("read_rules")}</a></p>
    </section>
  </main>`;
}

/** @param {Words} words */
export function nameField(words) {
  return html`<label class="field"><span>${words.t("name")}</span>
    <input name="name" required maxlength="32" autocomplete="nickname" .value=${keptName()} /></label>`;
}

/** @param {1 | 2} seat @param {Words} words */
function player(seat, words) {
  return html`<label class="field"><span>${words.t(`player_${seat}`)}</span>
    <select name="player-${seat}">${PLAYER.map((name) => html`<option value=${name}>${words.t("level", { player: words.data.players[name] ?? name, level: words.t(`level_${name}`) })}</option>`)}</select></label>`;
}

/** @param {string} door @param {Words} words */
function target(door, words) {
  return html`<fieldset class="row"><legend>${words.t("target")}</legend>
    ${TARGETS.map((n) => html`<label><input type="radio" name="target" value=${n} ?checked=${n === 7} />${words.t("points_n", { n })}</label>`)}
  </fieldset>`;
}

/** @param {SubmitEvent} submitted */
function fields(submitted) {
  submitted.preventDefault();
  const form = /** @type {HTMLFormElement} */ (submitted.currentTarget);
  return /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
}

/** @param {SubmitEvent} submitted */
function openComputer(submitted) {
  const { target, "player-1": first, "player-2": second } = fields(submitted);
  const name = keptName() || state.words?.t("guest") || "Guest";
  const players = [first, second].map((player) => ({ kind: "computer", player }));
  open(
    /** @type {OpenRequest} */ ({ mode: "computer", name, target: Number(target), seats: players }),
  );
}

/** @param {SubmitEvent} submitted */
function openFriends(submitted) {
  const { name = "", target, voice } = fields(submitted);
  keepName(name.trim());
  open(
    /** @type {OpenRequest} */ ({
      mode: "friends",
      name: name.trim(),
      target: Number(target),
      voice: voice === "on",
    }),
  );
}

/** Open a table; if no answer came, the same wish again opens no second one.
 * @param {OpenRequest} wish */
async function open(wish, key = crypto.getRandomValues(new Uint32Array(4)).join("-")) {
  if (state.waiting) return;
  change({ waiting: true, notice: null });
  try {
    const { table, seat, token, invites } = await openTable(wish, key);
    keepSeat({
      table,
      seat,
      token,
      invites,
      name: wish.name,
      mode: wish.mode,
      at: Date.now(),
      hands: [],
    });
    go({ name: "table", table });
  } catch (why) {
    refused(wish.mode === "computer" ? why : named(why), () => open(wish, key));
  } finally {
    change({ waiting: false });
  }
}
