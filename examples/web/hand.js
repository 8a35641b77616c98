// @ts-check
/** Your hand: buttons with one tab stop; what may not be played is dimmed and says why. */

import { face, sorted } from "./cards.js";
import { pick } from "./choose.js";
import { changeSitting } from "./store.js";
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { repeat } from "./vendor/lit-html/directives/repeat.js";

/** @typedef {import("./store.js").View} View */
/** @typedef {import("./store.js").Sitting} Sitting */
/** @typedef {import("./words.js").Words} Words */

/** The cards in the order they are shown. @param {View} view */
export function inOrder(view) {
  return sorted(view.hand.map(({ card }) => card));
}

/** The card with the hand's tab stop; one that has been played leaves it to its neighbour.
 * @param {Sitting} sitting @param {View} view */
export function spotOf({ spot }, view) {
  const cards = inOrder(view);
  if (!spot || cards.includes(spot)) return spot ?? cards[0];
  return cards[Math.min(sorted([...cards, spot]).indexOf(spot), cards.length - 1)];
}

/** @param {View} view @param {string} card */
export function whyNot({ hand }, card) {
  return hand.find((held) => held.card === card)?.why ?? null;
}

/** @param {Sitting} sitting @param {View} view @param {Words} words */
export function yourHand(sitting, view, words) {
  const cards = inOrder(view);
  const spot = spotOf(sitting, view);
  const looked = sitting.look && cards.includes(sitting.look) ? sitting.look : spot;
  const why = looked ? whyNot(view, looked) : null;
  return html`<section class="hand" aria-labelledby="hand-title" data-count=${cards.length}>
    <h2 id="hand-title">${words.t("your_hand")}</h2>
    <div class="cards" role="group" aria-labelledby="hand-title">
      ${repeat(
        cards,
        (card) => card,
        (card) => button(card, sitting, view, words, card === spot),
      )}
    </div>
    <p class="why" id="why">${why ? words.why(why) : cards.length ? nothing : words.t("no_cards")}</p>
  </section>`;
}

/** @param {string} card @param {Sitting} sitting @param {View} view @param {Words} words
 * @param {boolean} stop */
function button(card, sitting, view, words, stop) {
  const { draft } = sitting;
  const why = whyNot(view, card);
  const tag = draft.lay.includes(card) ? "chosen_lay" : draft.back === card ? "chosen_back" : null;
  const chosen = tag !== null || (view.options?.type === "play" && draft.card === card);
  const fresh = view.options?.type === "discard" && isFresh(view, card);
  const name = [
    words.cardName(card),
    why && words.why(why),
    tag && words.t(tag),
    fresh && words.t("fresh"),
  ];
  return html`<button
    type="button" class="card ${fresh ? "fresh" : ""}" data-card=${card} data-suit=${card[1] ?? ""}
    tabindex=${stop ? 0 : -1} aria-label=${name.filter(Boolean).join(", ")}
    aria-disabled=${why ? "true" : "false"}
    aria-pressed=${view.options?.type === "discard" || chosen ? String(chosen) : nothing}
    @click=${() => pick(card)} @focus=${() => changeSitting({ spot: card, look: card })}
    @pointerenter=${() => changeSitting({ look: card })} @pointerleave=${() => changeSitting({ look: null })}
  >
    ${face(card, words.deck, words.lang)}
    <span class="card-word">${words.cardName(card)}</span>
    ${tag ? html`<span class="tag">${words.t(tag)}</span>` : nothing}
  </button>`;
}

/** Whether a card has just come: from the monte, or handed over. @param {View} view @param {string} card */
function isFresh({ monte, contract }, card) {
  return Boolean(monte?.shown?.includes(card)) || contract?.called === card;
}
