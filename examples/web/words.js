// @ts-check
/** Codes, cards and events in words: the service's own, and the page's from texts.js. */

import { TEXTS } from "./texts.js";

/** @typedef {import("../../clients/typescript/client.js").Event} Event */
/** @typedef {import("../../clients/typescript/client.js").View} View */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {keyof typeof TEXTS.en} Key */
/** @typedef {Record<string, unknown>} Params */
/**
 * What `/v1/meta/words/{lang}` has: names, and sentences with `{params}`.
 * @typedef {object} Catalogue
 * @property {string} card
 * @property {string} seat
 * @property {Record<string, { symbol: string, french: string, italian: string }>} suits
 * @property {Record<string, { french: string, italian: string }>} ranks
 * @property {Record<string, string>} bids
 * @property {Record<string, string>} phases
 * @property {Record<string, string>} sides
 * @property {Record<string, string>} bonuses
 * @property {Record<string, string>} results
 * @property {Record<string, string>} players
 * @property {Record<string, string>} amounts
 * @property {Record<string, string>} count
 * @property {Record<string, string>} events
 * @property {Record<string, string>} illegal
 * @property {Record<string, string>} reasons
 * @property {Record<string, string>} problems
 * @property {any} terminal
 */

const PLAIN = "\ufe0e"; // the suit's symbol as text, not as a small picture

/** Re, cavallo (or regina: C stands for both), fante, asso. @type {Record<string, string>} */
const ITALIAN = { K: "R", Q: "C", J: "F" };

export class Words {
  /** @param {Catalogue} data @param {Settings} settings */
  constructor(data, { lang, deck }) {
    this.data = data;
    this.lang = lang;
    this.deck = deck;
    /** What the seats are called. @type {readonly string[]} */
    this.names = [];
    /** Whose words these are: he is told "you". @type {number | null} */
    this.you = null;
  }

  /** The page's own words. @param {Key} key @param {Params} params */
  t(key, params = {}) {
    return filled(TEXTS[this.lang][key], params);
  }

  /** Call the seats as a view does. @param {View} view */
  about(view) {
    this.you = view.you.seat;
    this.names = view.seats.map(({ seat, name, kind }) => {
      if (kind === "computer")
        return this.data.terminal.names[seat] ?? filled(this.data.seat, { seat });
      return name ?? this.place(seat);
    });
  }

  /** @param {number} seat */
  seat(seat) {
    return this.names[seat] ?? filled(this.data.seat, { seat });
  }

  /** Where a seat is, for one that has no name yet; where a number must be told, `seat` counts
   * them from 0, as the rules, the notation and the wire do. @param {number} seat */
  place(seat) {
    const step = (seat - (this.you ?? 0) + 3) % 3;
    return this.t(
      /** @type {const} */ (["seat_you", "seat_right", "seat_left"])[step] ?? "seat_you",
    );
  }

  /** "you" or the seat's name. @param {number} seat */
  who(seat) {
    return seat === this.you ? this.t("you") : this.seat(seat);
  }

  /** A suit by symbol and word. Italian suits have no characters, and those of the other deck
   * would be another card: by the word alone. @param {string} suit */
  suit(suit) {
    const told = this.data.suits[suit];
    if (!told) return suit;
    return this.deck === "italian" ? told.italian : `${told.symbol}${PLAIN} ${told.french}`;
  }

  /** @param {string} card like `3S` */
  card(card) {
    return filled(this.data.card, { rank: this.rank(card), suit: this.suit(card[1] ?? "") });
  }

  /** The letter or digit of a card's rank; the court's are those of the language.
   * @param {string} card */
  letter(card) {
    const { [card[0] ?? ""]: letter = card[0] } =
      this.lang === "it" && this.deck === "italian" ? ITALIAN : {};
    return letter ?? "";
  }

  /** A card in words alone, for a label. @param {string} card */
  cardName(card) {
    const suit = this.data.suits[card[1] ?? ""]?.[this.deck] ?? "";
    return filled(this.data.card, { rank: this.rank(card), suit });
  }

  /** @param {string} card */
  rank(card) {
    return this.data.ranks[card[0] ?? ""]?.[this.deck] ?? card;
  }

  /** @param {readonly string[]} cards */
  cards(cards) {
    return cards.map((card) => this.card(card)).join(", ");
  }

  /** @param {readonly string[]} parts */
  list(parts) {
    return new Intl.ListFormat(this.lang, { type: "conjunction" }).format(parts);
  }

  /** @param {"third" | "point"} unit @param {number} n */
  amount(unit, n) {
    return filled(this.data.amounts[Math.abs(n) === 1 ? unit : `${unit}s`], { n });
  }

  /** Thirds as points: 20 is 6⅔. @param {number} thirds */
  points(thirds) {
    const whole = Math.floor(thirds / 3);
    const rest = ["", "⅓", "⅔"][thirds % 3] ?? "";
    return whole || !rest ? `${whole}${rest}` : rest;
  }

  /** @param {number} seconds */
  clock(seconds) {
    const s = Math.max(0, Math.round(seconds));
    return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
  }

  /** Why a rule refuses something. @param {{ code: string, params: Params }} why */
  why({ code, params }) {
    return this.#sentence(this.data.illegal[code], code, params);
  }

  /** What a refusal's code means. @param {string} code @param {Params} params
   * @param {{ code: string, params: Params } | undefined} why */
  problem(code, params = {}, why = undefined) {
    if (why) return this.why(why);
    if (code === "offline" || code === "closed" || code === "name_bad") return this.t(code);
    return this.#sentence(this.data.problems[code] ?? this.data.illegal[code], code, params);
  }

  /** Cards in a sentence: "the three of …, the ace of … and the four of …".
   * @param {readonly string[]} cards */
  theCards(cards) {
    return this.list(cards.map((card) => this.t("the_card", { card: this.card(card) })));
  }

  /** What the computer would do. @param {import("../../clients/typescript/client.js").Action} action */
  hint(action) {
    switch (action.type) {
      case "bid":
        return this.t("hint_bid", { bid: this.data.bids[action.bid] ?? action.bid });
      case "discard": {
        const { cards, give_back } = action;
        return this.t(give_back ? "hint_lay_back" : "hint_lay", {
          cards: this.theCards(cards),
          ...(give_back && { card: this.card(give_back) }),
        });
      }
      default:
        return this.t(`hint_${action.type}`, { card: this.card(action.card) });
    }
  }

  /** @param {string | undefined} template @param {string} code @param {Params} params */
  #sentence(template, code, params) {
    if (template === undefined) return code; // of a later version of the service
    /** @type {Params} */
    const told = {};
    for (const [name, value] of Object.entries(params)) told[name] = this.#param(name, value);
    return filled(template, told);
  }

  /** @param {string} name @param {unknown} value */
  #param(name, value) {
    const text = String(value);
    if (name === "card") return this.card(text);
    if (name === "led") return this.suit(text);
    if (["turn", "seat", "dealer", "soloist", "winner"].includes(name))
      return this.seat(Number(value));
    if (name === "phase") return this.data.phases[text] ?? text;
    if (name === "highest" || name === "bid") return this.data.bids[text] ?? text;
    return text;
  }

  /** What happened, in one or more sentences; "" for what needs none. @param {Event} event */
  event(event) {
    // Seats have no numbers for people: who sits down has a name.
    if (event.kind === "seat_taken") return this.t("sits_down", { name: event.name });
    return [...this.#told(event)].map(([key, params]) => this.#say(key, params, event)).join(" ");
  }

  /** What the page itself says of you. @param {string} key */
  #own(key) {
    switch (key) {
      case "dealt":
      case "next_hand_asked":
      case "rematch_asked":
      case "seat_reissued":
        return TEXTS[this.lang][`${key}_you`];
      default:
        return undefined;
    }
  }

  /** @param {string} key @param {Params} params @param {Event} event */
  #say(key, params, event) {
    const { you, "took.you": took, "won.you": won } = this.data.terminal;
    /** @type {Record<string, string | undefined>} */
    const told = { ...you, "card_played.trick": took, "card_played.winner": won };
    const mine = told[key] ?? this.#own(key);
    if (mine !== undefined && doer(key, event) === this.you) return filled(mine, params);
    return filled(this.data.events[key] ?? key, params);
  }

  /** @param {Event} event @returns {Generator<[string, Params]>} */
  *#told(event) {
    switch (event.kind) {
      case "bid":
        yield [
          event.bid === "pass" ? "bid.pass" : "bid",
          { seat: this.seat(event.seat), bid: this.data.bids[event.bid] },
        ];
        if (event.thrown_in) yield ["bid.thrown_in", {}];
        if (event.soloist !== undefined)
          yield ["bid.soloist", { soloist: this.seat(event.soloist) }];
        if (event.monte_shown) yield ["monte_shown", { cards: this.cards(event.monte_shown) }];
        break;
      case "called":
        yield ["called", { seat: this.seat(event.seat), card: this.card(event.card) }];
        if (event.passed_by === "monte") yield ["called.monte", {}];
        else yield ["called.passed", { passed_by: this.seat(event.passed_by) }];
        yield ["monte_shown", { cards: this.cards(event.monte_shown) }];
        break;
      case "discarded":
        yield ["discarded", { seat: this.seat(event.seat), count: event.count }];
        if (event.given_back)
          yield [
            "discarded.given_back",
            { seat: this.seat(event.seat), card: this.card(event.given_back) },
          ];
        break;
      case "card_played":
        yield ["card_played", { seat: this.seat(event.seat), card: this.card(event.card) }];
        if (event.trick)
          yield [
            "card_played.trick",
            {
              winner: this.seat(event.trick.winner),
              thirds: this.amount("third", event.trick.thirds),
            },
          ];
        if (event.count) yield* this.#counted(event.count);
        if (event.winner !== undefined)
          yield ["card_played.winner", { winner: this.seat(event.winner) }];
        break;
      case "dealt":
        yield ["dealt", { deal: event.deal, dealer: this.seat(event.dealer) }];
        break;
      case "next_hand_asked":
      case "rematch_asked":
      case "seat_reissued":
        yield [event.kind, { seat: this.seat(event.seat) }];
        break;
      case "table_closed":
        yield [event.kind, {}];
    }
  }

  /** @param {import("../../clients/typescript/messages.js").Count} count @returns {Generator<[string, Params]>} */
  *#counted({ soloist, defenders, won, bonus }) {
    const result = this.data.results[won ? "won" : "lost"];
    yield ["card_played.count", { soloist_thirds: soloist, defender_thirds: defenders, result }];
    const told = bonus && this.data.bonuses[bonus];
    if (told) yield ["card_played.bonus", { bonus: capital(told) }];
  }
}

/** Whom a sentence about an event is about. @param {string} key @param {Event} event */
function doer(key, event) {
  const told = /** @type {Params & { trick?: Params }} */ (/** @type {unknown} */ (event));
  switch (key) {
    case "bid.soloist":
      return told.soloist;
    case "dealt":
      return told.dealer;
    case "called.passed":
      return told.passed_by;
    case "card_played.trick":
      return told.trick?.winner;
    case "card_played.winner":
      return told.winner;
    default:
      return told.seat;
  }
}

/** @param {string | undefined} template @param {Params} params */
export function filled(template = "", params = {}) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
