// @ts-check
/** Your decision: bid, call, exchange, card. What is chosen is a draft until it is confirmed. */

import { hint as askHint } from "./api.js";
import { sorted, symbol } from "./cards.js";
import { whyNot } from "./hand.js";
import { act, ready, refused } from "./line.js";
import { alert } from "./say.js";
import { blank, changeSitting, state } from "./store.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";

/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./store.js").Draft} Draft */
/** @typedef {import("./store.js").Schemas} Schemas */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {import("./line.js").Action} Action */

/** A card of your hand was chosen: play it, lay it, give it back, or say why not.
 * @param {string} card */
export function pick(card) {
  const { sitting, words, settings } = state;
  const view = sitting?.view;
  if (!sitting || !view || !words) return;
  changeSitting({ spot: card, look: card });
  const why = whyNot(view, card);
  if (why) return alert(words.why(why));
  if (!ready(sitting)) return;
  const { options } = view;
  if (options?.type === "discard") toggle(sitting, options, card);
  else if (options?.type !== "play") alert(words.t("not_now"));
  else if (settings.confirm === "on") draft({ card });
  else act({ type: "play", card });
}

/** @param {Partial<Draft>} part */
function draft(part) {
  const { sitting } = state;
  if (sitting) changeSitting({ draft: { ...sitting.draft, over: false, ...part } });
}

/** Lay a card, or take it back; the one after the last to lay is given back.
 * @param {Sitting} sitting @param {Schemas["DiscardOptions"]} options @param {string} card */
function toggle({ draft: { lay, back } }, options, card) {
  if (back === card) draft({ back: null });
  else if (lay.includes(card)) draft({ lay: lay.filter((other) => other !== card) });
  else if (lay.length < options.count) draft({ lay: [...lay, card] });
  else if (options.give_back) draft({ back: card });
  else {
    draft({ over: true });
    alert(state.words?.t("lay_full") ?? "");
  }
}

/** What the draft would do, if it is whole. @param {Sitting} sitting @param {View} view
 * @returns {Action | null} */
function whole({ draft: { bid, card, lay, back } }, { options }) {
  switch (options?.type) {
    case "bid":
      return bid && { type: "bid", bid };
    case "call":
      return card ? { type: "call", card } : null;
    case "play":
      return card ? { type: "play", card } : null;
    case "discard":
      if (lay.length < options.count || (options.give_back && !back)) return null;
      return { type: "discard", cards: lay, ...(back && { give_back: back }) };
    default:
      return null;
  }
}

/** The panel of the decision that is yours; nothing when there is none.
 * @param {Sitting} sitting @param {View} view @param {Words} words */
export function choice(sitting, view, words) {
  const { options } = view;
  if (!options) return nothing;
  if (options.type === "play" && state.settings.confirm === "off" && !offersHint(view))
    return nothing;
  // A new decision is a new panel: the focus goes on to its first choice.
  return repeat(
    [sitting.draft.decision],
    (decision) => decision,
    () => panel(options, sitting, view, words),
  );
}

/** @param {NonNullable<View["options"]>} options @param {Sitting} sitting @param {View} view
 * @param {Words} words */
function panel(options, sitting, view, words) {
  const action = whole(sitting, view);
  return html`<section class="choice" data-type=${options.type} aria-label=${words.t("your_turn")}>
    ${options.type === "bid" ? bids(sitting, options, words) : nothing}
    ${options.type === "call" ? calls(sitting, view, options, words) : nothing}
    <div class="decide">
    <p class="sentence" id="sentence">${sentence(sitting, view, words)}</p>
    <div class="actions">
      ${offersHint(view) ? html`<button type="button" class="plain" @click=${hint}>${words.t("hint")}</button>` : nothing}
      ${
        sitting.draft.lay.length
          ? html`<button type="button" class="plain" @click=${() => draft(blank(sitting.draft.decision))}>${words.t("undo")}</button>`
          : nothing
      }
      ${
        options.type === "play" && state.settings.confirm === "off"
          ? nothing
          : html`<button type="button" class="main confirm" aria-describedby="sentence"
            aria-disabled=${String(!action || !ready(sitting))}
            @click=${() => (action ? act(action) : alert(sentence(sitting, view, words)))}>${words.t("confirm")}</button>`
      }
    </div>
    </div>
    ${hinted(sitting, view, words)}
  </section>`;
}

/** The draft as a plain sentence, or what is still to choose.
 * @param {Sitting} sitting @param {View} view @param {Words} words @returns {string} */
function sentence({ draft: { bid, card, lay, back, over } }, { options, contract }, words) {
  switch (options?.type) {
    case "bid":
      return words.t(bid ? `bid_${bid}` : "bid_choose");
    case "call":
      return card ? words.t("call_card", { card: words.card(card) }) : words.t("call_choose");
    case "play":
      return card ? words.t("play_card", { card: words.card(card) }) : words.t("play_choose");
    case "discard": {
      const more = options.count - lay.length;
      const who = words.seat(Number(contract?.passed_by));
      if (!lay.length) return words.t(options.give_back ? "lay_first_back" : "lay_first");
      if (more) return words.t(more === 1 ? "lay_one" : "lay_more", { n: more });
      if (over) return words.t("lay_full");
      const told = words.t("lay_ready", {
        cards: words.theCards(sorted(lay)),
      });
      if (!options.give_back) return told;
      return `${told} ${back ? words.t("back_ready", { card: words.card(back), who }) : words.t("back_choose", { who })}`;
    }
    default:
      return "";
  }
}

/** @param {Sitting} sitting @param {Schemas["BidOptions"]} options @param {Words} words */
function bids(sitting, { bids }, words) {
  return html`<div class="bids" role="group" aria-label=${words.t("bid_title")}>
    ${bids.map(
      (bid) => html`<button type="button" class="option"
        aria-pressed=${String(sitting.draft.bid === bid)} @click=${() => draft({ bid })}
      >${words.data.bids[bid]}</button>`,
    )}
  </div>`;
}

/** The cards that may be called, by suit, each with what you hold of it.
 * @param {Sitting} sitting @param {View} view @param {Schemas["CallOptions"]} options @param {Words} words */
function calls(sitting, { hand }, { cards }, words) {
  const held = sorted(cards);
  const yours = sorted(hand.map(({ card }) => card));
  const own = (/** @type {string} */ suit) => {
    const ranks = yours.filter((card) => card[1] === suit).map((card) => words.letter(card));
    return ranks.length ? words.t("you_hold", { ranks: ranks.join(" ") }) : words.t("you_lack");
  };
  return html`<div class="calls" role="group" aria-label=${words.t("call_title")}>
    ${["S", "H", "C", "D"].map(
      (
        suit,
      ) => html`<div class="suit-row" role="group" aria-label=${words.data.suits[suit]?.[words.deck] ?? suit} data-suit=${suit}>
        <span class="suit-word">${symbol(suit, words.deck)} ${words.data.suits[suit]?.[words.deck] ?? suit} <span class="own-ranks">${own(suit)}</span></span>
        ${held
          .filter((card) => card[1] === suit)
          .map(
            (card) => html`<button type="button" class="option small"
            data-suit=${suit} aria-pressed=${String(sitting.draft.card === card)}
            @click=${() => draft({ card })}><span aria-hidden="true">${words.letter(card)}${symbol(suit, words.deck)}</span><span class="unseen">${words.cardName(card)}</span></button>`,
          )}
      </div>`,
    )}
  </div>`;
}

/** @param {View} view */
function offersHint({ mode, options }) {
  return mode === "computer" && options !== null && state.settings.hints === "on";
}

async function hint() {
  const { sitting } = state;
  if (!sitting || !ready(sitting)) return;
  try {
    const told = await askHint(sitting.seat);
    if (state.sitting === sitting) changeSitting({ hint: told });
  } catch (why) {
    refused(why);
  }
}

/** @param {Sitting} sitting @param {View} view @param {Words} words */
function hinted({ hint: told }, view, words) {
  if (!told || told.decision !== view.turn?.decision) return nothing;
  return html`<div class="hint" role="status">
    <p>${words.hint(told.action)} ${words.data.reasons[told.reason] ?? nothing}</p>
    ${
      told.chances?.length
        ? html`<p>${words.t("hint_chances", {
            chances: words.list(
              told.chances.map((chance) =>
                words.t("hint_chance", {
                  card: words.card(chance.card),
                  n: Math.round(chance.win * 100),
                }),
              ),
            ),
          })}</p>`
        : nothing
    }
  </div>`;
}
