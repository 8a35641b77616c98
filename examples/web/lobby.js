// @ts-check
/** Before the match: the host's links, who has sat down, and the way in for a guest. */

import { claim, Problem, reissue, summary } from "./api.js";
import { keepName, named, nameField } from "./doors.js";
import { leave, refused } from "./line.js";
import { go } from "./routes.js";
import { alert } from "./say.js";
import { keepSeat, seatAt } from "./seats.js";
import { change, redraw, state } from "./store.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { capital } from "./words.js";

/** @typedef {import("./store.js").State} State */
/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./store.js").Schemas} Schemas */
/** @typedef {import("./words.js").Words} Words */

/** @param {Sitting} sitting @param {View} view @param {Words} words */
export function lobby(sitting, view, words) {
  const { host } = view.you;
  return html`<section class="lobby" aria-labelledby="lobby-title">
    <h2 id="lobby-title">${words.t("host_menu")}</h2>
    ${host ? html`<p>${words.t("lobby_lead", { target: view.match.target })}</p>` : nothing}
    ${homeOnly(sitting, words)}
    <ul class="links">${view.seats.map(
      ({ seat, kind, name }) => html`<li>
      <b>${capital(words.place(seat))}</b>
      ${
        kind === "link"
          ? host
            ? link(sitting, seat, words)
            : html`<span>${words.t("open_seat")}</span>`
          : html`<span>${words.t("sits", { who: name ?? words.seat(seat) })}${gone(sitting, seat, words)}</span>`
      }
    </li>`,
    )}</ul>
  </section>`;
}

/** That a link leads nowhere from elsewhere, if it names this machine only to itself.
 * @param {Sitting} sitting @param {Words} words */
export function homeOnly({ seat: { invites } }, words) {
  const hosts = invites.map(({ link }) => new URL(link, location.href).hostname);
  const host = hosts.find((name) => /^(localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(name));
  return host ? html`<p class="home-only">${words.t("home_links", { host })}</p>` : nothing;
}

/** @param {Sitting} sitting @param {number} seat @param {Words} words */
function gone({ away }, seat, words) {
  const since = away[seat];
  return since === undefined
    ? nothing
    : `, ${words.t("away", { clock: words.clock((state.now - since) / 1000) })}`;
}

/** A link to send, or a way to a new one if this page has it no more.
 * @param {Sitting} sitting @param {number} seat @param {Words} words */
export function link(sitting, seat, words) {
  const invite = sitting.seat.invites.find((each) => each.seat === seat);
  const who = words.place(seat);
  if (!invite)
    return html`<button type="button" aria-label=${words.t("new_link_for", { who })} @click=${() => renew(sitting, seat)}>${words.t("new_link")}</button>`;
  return html`<span class="link">
    <input readonly aria-label=${words.t("link_for", { seat: who })} .value=${invite.link} @focus=${(/** @type {Event} */ e) => /** @type {HTMLInputElement} */ (e.target).select()} />
    <button type="button" @click=${(/** @type {Event} */ e) => copy(/** @type {HTMLElement} */ (e.target), invite.link, words)}>${words.t("copy")}</button>
    ${"share" in navigator ? html`<button type="button" @click=${() => navigator.share({ title: "Terziglio", url: invite.link }).catch(() => {})}>${words.t("share")}</button>` : nothing}
  </span>`;
}

/** Give a seat a new link; the former is void. @param {Sitting} sitting @param {number} seat */
export async function renew(sitting, seat) {
  try {
    const invite = await reissue(sitting.seat, seat);
    sitting.seat.invites = [...sitting.seat.invites.filter((each) => each.seat !== seat), invite];
    keepSeat(sitting.seat);
    redraw();
  } catch (why) {
    refused(why, () => renew(sitting, seat));
  }
}

/** @param {HTMLElement} button @param {string} text @param {Words} words */
async function copy(button, text, words) {
  try {
    await navigator.clipboard.writeText(text);
    told("copied", words.t("copied"));
  } catch {
    // Only a page of https or this machine may write there: the person copies.
    button.parentElement?.querySelector("input")?.select();
    told("copy_failed", words.t("copy_failed"));
  }
}

/** @param {string} code @param {string} text */
function told(code, text) {
  change({ notice: { code, text } });
  alert(text);
}

/** What the public may know of the table one is invited to.
 * @type {{ table: string, invite: string, told: Schemas["SummaryModel"] | null, code: string }
 *   | null} */
let invited = null;

/** Whether a link leads to a table where one sits: then one goes there, and the link is
 * kept for the case that the seat has become somebody else's.
 * @param {Extract<import("./store.js").Route, { name: "join" }>} route */
export function linked({ table, invite }) {
  const seat = seatAt(table);
  if (!seat) return false;
  keepSeat({ ...seat, invite });
  if (state.sitting?.seat.table === table) leave();
  go({ name: "table", table }, true);
  return true;
}

/** @param {State} state @param {Words} words */
export function join(state, words) {
  const { route } = state;
  if (route.name !== "join") return nothing;
  if (invited?.table !== route.table || invited.invite !== route.invite) look(route);
  const { told = null, code = "" } = invited ?? {};
  if (code || told?.closed)
    return html`<main id="main" class="doors" tabindex="-1"><section class="door">
      <h1>${words.problem(code || "table_closed")}</h1>
      ${USED.includes(code) ? html`<p>${usedLink(told, words)}</p>` : nothing}
      <p class="actions start"><a class="button main" href="#/">${words.t("new_table")}</a></p>
    </section></main>`;
  const host = told?.seats[0]?.name;
  return html`<main id="main" class="doors" tabindex="-1">
    <form class="door" @submit=${sitDown}>
      <h1>${words.t("join")}</h1>
      <p>${told && host ? words.t("join_lead", { host, target: told.target }) : nothing}</p>
      ${nameField(words)}
      <button class="main" aria-disabled=${String(state.waiting)}>${words.t("sit_down")}</button>
    </form>
  </main>`;
}

/** Refusals of a link that seats nobody any more. */
const USED = ["seat_taken", "bad_invite"];

/** What to do then. @param {Schemas["SummaryModel"] | null} told @param {Words} words */
function usedLink(told, words) {
  return words.t("used_link", { host: told?.seats[0]?.name ?? words.t("who_opened") });
}

/** At the address of a table, in a browser without a seat there. @param {Words} words */
export function noSeat(words) {
  return html`<main id="main" class="doors" tabindex="-1"><section class="door">
    <h1>${words.t("no_seat")}</h1>
    <p>${words.t("no_seat_lead")}</p>
    <p class="actions start"><a class="button main" href="#/">${words.t("back_to_doors")}</a></p>
  </section></main>`;
}

/** @param {{ table: string, invite: string }} link */
async function look(link) {
  const { table } = link;
  const asked = (invited = { table, invite: link.invite, told: null, code: "" });
  try {
    invited = { ...asked, told: await summary(table) };
    redraw();
  } catch (why) {
    if (why instanceof Problem && why.code === "no_such_table") {
      invited = { ...asked, code: why.code };
      redraw();
    } else refused(why, () => look(link));
  }
}

/** @param {SubmitEvent} submitted */
function sitDown(submitted) {
  submitted.preventDefault();
  const form = /** @type {HTMLFormElement} */ (submitted.currentTarget);
  const name = String(new FormData(form).get("name")).trim();
  keepName(name);
  take(name, keyFor(state.route.name === "join" ? state.route.invite : ""));
}

/** Where a browser keeps nothing. @type {Map<string, string>} */
const keys = new Map();

/** The same try for the same link, also after a reload: it gives the same seat.
 * @param {string} invite */
function keyFor(invite) {
  const name = `terziglio.try.${invite.slice(-12)}`;
  const made = keys.get(name) ?? crypto.getRandomValues(new Uint32Array(4)).join("-");
  keys.set(name, made);
  try {
    const key = sessionStorage.getItem(name) ?? made;
    sessionStorage.setItem(name, key);
    return key;
  } catch {
    return made;
  }
}

/** @param {string} name @param {string} key */
async function take(name, key) {
  const { route } = state;
  if (route.name !== "join" || state.waiting) return;
  change({ waiting: true, notice: null });
  try {
    const { table, seat, token } = await claim(route.table, route.invite, name, key);
    keepSeat({
      table,
      seat,
      token,
      name,
      mode: invited?.told?.mode ?? "friends",
      at: Date.now(),
      invites: [],
      hands: [],
    });
    go({ name: "table", table }, true);
  } catch (why) {
    if (why instanceof Problem && USED.includes(why.code) && invited) {
      // The form is gone, so nothing asks for what cannot be had; it is said in its place.
      invited = { ...invited, code: why.code };
      const { words } = state;
      if (words) alert(`${words.problem(why.code)} ${usedLink(invited.told, words)}`);
    } else refused(named(why), () => take(name, key));
  } finally {
    change({ waiting: false });
  }
}
