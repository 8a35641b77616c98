// @ts-check
/** A seat at a table of Terziglio that comes back by itself when its line breaks. */

/** @typedef {import("./messages.js").View} View */
/** @typedef {import("./messages.js").ClientMessage} ClientMessage */
/** @typedef {import("./messages.js").ServerMessage} ServerMessage */
/** @typedef {import("./messages.js").EventMessage["event"]} Event */
/** @typedef {import("./messages.js").ErrorMessage} ErrorMessage */
/** @typedef {import("./messages.js").ActionMessage["action"]} Action */
/** @typedef {Extract<ClientMessage, { id?: unknown }> & { id: string }} Asking */
/** @typedef {import("./messages.js").SignalFrom["data"]} Data */
/**
 * How the line stands. `live`: `view` is the table as it is. `waiting`: it broke, and
 * is tried again after `retry_ms`. `stopped`: for good, with that close code.
 * @typedef {{ name: "connecting" | "live" }
 *   | { name: "waiting", code: number, retry_ms: number }
 *   | { name: "stopped", code: number }} State
 */
/**
 * What to call; `view` is all that a page needs.
 * @typedef {object} Callbacks
 * @property {(view: View) => void} [view] the newest view: draw it
 * @property {(event: Event, seq: number, view: View) => void} [event] each one once, in
 *   order, with the view then; also those that were missed while the line was broken
 * @property {(told: Extract<ServerMessage, { type: "presence" }>) => void} [presence]
 * @property {(from: number, data: Data) => void} [signal]
 * @property {(error: ErrorMessage) => void} [error] one that answers none of your promises
 * @property {(state: State) => void} [state]
 */

/** Close codes after which it is no use to come back; after any other it is. */
const STOP = new Set([1000, 1009, 4401, 4403, 4409, 4426]);
const FLOOD = 4429;
/** Wishes that are refused when they are sent again because they have come true. */
const DONE = new Set(["next_hand stale_decision", "rematch match_not_over"]);

/** Why an action was not taken; `answer` is what the server said, if it did. */
export class Refused extends Error {
  /** @param {string} code @param {ErrorMessage} [answer] */
  constructor(code, answer) {
    super(answer?.detail ?? code);
    this.code = code;
    this.answer = answer;
  }
}

export class Seat {
  /** The newest view. @type {View | null} */
  view = null;
  /** The last change that was told. @type {number | null} */
  seq = null;
  /** @type {State} */
  state = { name: "connecting" };
  /** @type {WebSocket | undefined} */
  #socket;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Map<string, { message: Asking, times: number,
   *   resolve: (seq: number) => void, reject: (why: Refused) => void }>} */
  #pending = new Map();
  /** @type {number | undefined} */
  #retry_ms;
  #name = Math.random().toString(36).slice(2);
  #asked = 0;
  #tries = 0;
  #beat = 10_000;
  #quiet = 0;
  #gap = false;

  /**
   * @param {string} server like `https://terziglio.example`
   * @param {string} table the table's id
   * @param {string} token your seat token
   * @param {Callbacks} on what to call
   */
  constructor(server, table, token, on = {}) {
    this.url = `${server.replace(/^http/, "ws")}/v1/tables/${table}/ws`;
    this.token = token;
    this.on = on;
    this.#open();
  }

  /** Answer the decision that is due; resolves once, with the `seq` it became.
   * @param {Action} action */
  act(action, decision = this.view?.turn?.decision ?? "") {
    return this.#ask({ type: "action", id: this.#id(), decision, action });
  }

  /** Ask for the hand after this one. */
  nextHand(deal = this.view?.match.deal ?? 0) {
    return this.#ask({ type: "next_hand", id: this.#id(), deal });
  }

  /** Ask for a new match. */
  rematch() {
    return this.#ask({ type: "rematch", id: this.#id() });
  }

  /** Send another seat what sets up voice; lost while the line is broken.
   * @param {number} to @param {Data} data */
  signal(to, data) {
    this.#say({ type: "signal", to, data });
  }

  /** Leave; what has not been answered is rejected. */
  close() {
    this.#closed(1000);
  }

  #id() {
    return `${this.#name}-${++this.#asked}`;
  }

  /** @param {Asking} message @returns {Promise<number>} */
  #ask(message) {
    return new Promise((resolve, reject) => {
      if (this.state.name === "stopped") return reject(new Refused("closed"));
      this.#pending.set(message.id, { message, times: 0, resolve, reject });
      if (this.state.name === "live") this.#send(message.id);
    });
  }

  /** @param {string} id */
  #send(id) {
    const asked = this.#pending.get(id);
    if (asked) asked.times += 1, this.#say(asked.message);
  }

  /** @param {ClientMessage} message */
  #say(message) {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** @param {State} state */
  #become(state) {
    this.state = state;
    this.on.state?.(state);
  }

  #open() {
    const socket = (this.#socket = new WebSocket(this.url, "terziglio.v1"));
    socket.onopen = () => this.#say({ type: "hello", token: this.token, after: this.seq });
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = ({ code }) => this.#closed(code);
    this.#quiet = 0;
    this.#listen();
  }

  /** Ping at every beat; give the line up after two in which nothing was heard. */
  #listen() {
    this.#timer = setTimeout(() => {
      if (++this.#quiet > 2) return this.#closed(1006);
      this.#say({ type: "ping", n: this.#quiet });
      this.#listen();
    }, this.#beat);
  }

  /** @param {number} code */
  #closed(code) {
    if (this.state.name === "stopped") return;
    clearTimeout(this.#timer);
    if (this.#socket) {
      this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
      this.#socket.close();
    }
    if (STOP.has(code)) {
      const left = [...this.#pending.values()];
      this.#pending.clear();
      this.#become({ name: "stopped", code });
      for (const { reject } of left) reject(new Refused("closed"));
      return;
    }
    const most = Math.min(30_000, 1000 * 2 ** this.#tries++);
    const jitter = 500 + Math.random() * (most - 500);
    const retry_ms = code === FLOOD ? 60_000 : (this.#retry_ms ?? jitter);
    this.#retry_ms = undefined;
    this.#timer = setTimeout(() => {
      this.#open();
      this.#become({ name: "connecting" });
    }, retry_ms);
    this.#become({ name: "waiting", code, retry_ms });
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    this.#quiet = 0;
    switch (message.type) {
      case "welcome":
        this.#beat = message.heartbeat_s * 1000;
        break;
      case "event":
        this.#told(message);
        break;
      case "ack":
      case "error":
        this.#answered(message);
        break;
      case "presence":
        this.on.presence?.(message);
        break;
      case "signal":
        this.on.signal?.(message.from, message.data);
        break;
      case "bye":
        this.#retry_ms = message.retry_ms;
        break;
    }
  }

  /** @param {Extract<ServerMessage, { type: "event" }>} message */
  #told({ seq, event, view }) {
    const next = (this.seq ?? seq - 1) + 1;
    if (event.kind === "snapshot") {
      this.#gap = false;
    } else {
      if (seq < next || this.#gap) return;
      if (seq > next) {
        this.#gap = true;
        return this.#say({ type: "resync" });
      }
      this.#tries = 0;
    }
    [this.seq, this.view] = [seq, view];
    if (event.kind !== "snapshot") this.on.event?.(event, seq, view);
    else if (this.state.name === "connecting") {
      const unanswered = [...this.#pending.keys()];
      this.#become({ name: "live" });
      for (const id of unanswered) this.#send(id);
    }
    if (this.state.name === "live") this.on.view?.(view);
  }

  /** @param {Extract<ServerMessage, { type: "ack" | "error" }>} answer */
  #answered(answer) {
    const asked = this.#pending.get(answer.id ?? "");
    if (asked) this.#pending.delete(asked.message.id);
    if (answer.type === "ack") return asked?.resolve(answer.seq);
    if (!asked) return this.on.error?.(answer);
    const done = asked.times > 1 && DONE.has(`${asked.message.type} ${answer.code}`);
    if (done) asked.resolve(this.seq ?? 0);
    else asked.reject(new Refused(answer.code, answer));
  }
}
