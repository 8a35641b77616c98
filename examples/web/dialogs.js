// @ts-check
/** What is shown over the page, one at a time; the browser keeps the focus in it. */

import { endTable } from "./api.js";
import { scores } from "./board.js";
import { help } from "./help.js";
import { leave, refused } from "./line.js";
import { homeOnly, link, renew } from "./lobby.js";
import { wholeLog } from "./log.js";
import { preferences } from "./preferences.js";
import { go } from "./routes.js";
import { change, state } from "./store.js";
import { lastTrick } from "./trick.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { capital } from "./words.js";

/** @typedef {import("./store.js").Dialog} Dialog */
/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./words.js").Key} Key */

/** @type {Record<Dialog, Key>} */
const TITLES = {
  menu: "menu",
  help: "help",
  settings: "settings",
  last: "last_trick",
  scores: "scores",
  log: "whole_log",
  end: "end_table",
  host: "host_menu",
};
/** @type {Dialog | null} */
let shown = null;

/** @param {Words} words */
export function dialog(words) {
  shown = state.dialog ?? shown;
  return html`<dialog id="dialog" aria-labelledby="dialog-title" @close=${follow} @click=${outside}>
    ${
      shown
        ? html`<div class="sheet">
      <header><h2 id="dialog-title" tabindex="-1">${words.t(TITLES[shown])}</h2>
        <button type="button" class="plain" @click=${close}>${words.t("close")}</button></header>
      <p class="unseen" role="alert"></p>
      ${state.dialog ? notice(words) : nothing}
      <div class="body">${content(shown, words)}</div></div>`
        : nothing
    }
  </dialog>`;
}

/** Which one was opened here, and not closed here since. @type {Dialog | null} */
let open = null;

/** A refusal or a fault, where it is seen: in the dialog if one is open. @param {Words} words */
export function notice(words) {
  const { notice: told } = state;
  if (!told) return nothing;
  return html`<section class="notice" aria-label=${words.t("notice")} data-code=${told.code}>${told.text}
    ${told.again ? html`<button type="button" @click=${told.again}>${words.t("again")}</button>` : nothing}
    <button type="button" class="plain" @click=${() => change({ notice: null })}>${words.t("close")}</button></section>`;
}

/** Open or close it as the state says; called after each drawing. */
export function follow() {
  const element = /** @type {HTMLDialogElement | null} */ (document.getElementById("dialog"));
  if (!element || gone(element) || open === state.dialog) return;
  if (!state.dialog) element.close();
  else {
    if (!open) element.showModal();
    document.getElementById("dialog-title")?.focus();
  }
  open = state.dialog;
}

/** Whether the browser has closed it: at Escape, or at a gesture.
 * @param {HTMLDialogElement} element */
function gone(element) {
  if (!open || element.open) return false;
  open = null;
  change({ dialog: null });
  return true;
}

export function close() {
  change({ dialog: null });
}

/** @param {Event} clicked on what lies behind it */
function outside(clicked) {
  if (clicked.target === clicked.currentTarget) close();
}

/** @param {Dialog} name @param {Words} words */
function content(name, words) {
  const { sitting } = state;
  const view = sitting?.view;
  if (name === "settings") return preferences(words);
  if (name === "help") return help(words, view?.match.target ?? 7);
  if (!sitting || !view) return nothing;
  switch (name) {
    case "last":
      return lastTrick(view, words);
    case "scores":
      return scores(sitting, view, words);
    case "log":
      return wholeLog(sitting);
    case "host":
      return host(sitting, view, words);
    case "end":
      return html`<p>${words.t(view.mode === "computer" ? "end_sure_alone" : "end_sure")}</p><p class="actions"><button type="button" class="danger" @click=${end}>${words.t("end_table")}</button></p>`;
    default:
      return menu(sitting, view, words);
  }
}

/** @param {Sitting} sitting @param {View} view @param {Words} words */
function menu({ seat }, view, words) {
  const open = (/** @type {Dialog} */ name) =>
    html`<li><button type="button" @click=${() => change({ dialog: name })}>${words.t(TITLES[name])}</button></li>`;
  return html`<ul class="menu">
    ${open("scores")} ${open("last")} ${open("log")} ${open("help")} ${open("settings")}
    ${seat.hands.length ? html`<li><b>${words.t("counted_hands")}</b>: ${seat.hands.map((deal) => html`<a href="#/watch/${seat.table}/${deal}">${words.t("watch_n", { n: deal })}</a> `)}</li>` : nothing}
    ${view.you.host && view.mode !== "computer" ? open("host") : nothing}
    ${view.you.host && !view.closed ? open("end") : nothing}
    <li><button type="button" @click=${() => (leave(), close(), go({ name: "doors" }))}>${words.t("leave")}</button> <span class="quiet">${words.t("leave_lead")}</span></li>
  </ul>`;
}

/** @param {Sitting} sitting @param {View} view @param {Words} words */
function host(sitting, view, words) {
  return html`<p>${words.t("reissue_lead")}</p>
    ${homeOnly(sitting, words)}
    <ul class="links">${view.seats
      .filter(({ seat, kind }) => seat !== view.you.seat && kind !== "computer")
      .map(({ seat, kind, present }) => ({
        seat,
        present,
        who: kind === "link" ? words.place(seat) : words.seat(seat),
      }))
      .map(
        ({ seat, present, who }) => html`<li>
      <b>${capital(who)}</b>
      ${sitting.seat.invites.some((each) => each.seat === seat) ? link(sitting, seat, words) : nothing}
      ${
        present
          ? html`<span>${words.t("here")}</span>`
          : html`<button type="button" aria-label=${words.t("new_link_for", { who })} @click=${() => renew(sitting, seat)}>${words.t("new_link")}</button>`
      }
    </li>`,
      )}</ul>`;
}

async function end() {
  const { sitting } = state;
  if (!sitting) return;
  close();
  try {
    await endTable(sitting.seat);
  } catch (why) {
    refused(why, end);
  }
}
