// @ts-check
/** Voice with one other seat: a connection that negotiates itself over the table's line. */

/** @typedef {{ description: RTCSessionDescriptionInit } | { candidates: RTCIceCandidateInit[] }} Told */
/** @typedef {"connecting" | "connected" | "failed"} Stand */

/** Candidates that come within so many ms travel in one message. */
const GATHER = 50;
/** A connection that has not come up after so many ms is given up. */
const PATIENCE = 20_000;
/** What is louder than this, from 0 to 1, is somebody who speaks. */
const LOUD = 0.02;
/** Somebody speaks until so many ms after the last sound. */
const PAUSE = 900;

/** Whether somebody speaks, from how loud it is now and again. */
export class Ear {
  #last = -Infinity;

  /** @param {number | undefined} level */
  hears(level) {
    if ((level ?? 0) > LOUD) this.#last = performance.now();
    return performance.now() - this.#last < PAUSE;
  }
}

export class Peer {
  /** @type {Stand} */
  stand = "connecting";
  /** Whether the other has muted the microphone there. */
  muted = false;
  speaks = false;
  /** Whether this browser plays sound only after a click. */
  blocked = false;
  #since = performance.now();
  #making = false;
  #ignoring = false;
  #answering = false;
  #again = false;
  /** @type {RTCIceCandidateInit[]} */
  #found = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #ear = new Ear();
  #audio = new Audio();

  /**
   * @param {string} id the other page's, for as long as it is in voice
   * @param {object} how
   * @param {boolean} how.polite whether it leaves the first offer to the other, and gives
   *   way when both make one at once
   * @param {RTCIceServer[]} how.servers
   * @param {MediaStreamTrack} how.track your microphone
   * @param {(told: Told) => void} how.say to the other page
   * @param {() => void} how.changed
   */
  constructor(id, { polite, servers, track, say, changed }) {
    this.id = id;
    this.polite = polite;
    this.say = say;
    this.changed = changed;
    const pc = (this.pc = new RTCPeerConnection({ iceServers: servers }));
    pc.onnegotiationneeded = () => {
      // The answer to the first offer has this microphone in it too.
      if (!polite || pc.remoteDescription) this.#offer();
    };
    pc.onicecandidate = ({ candidate }) => this.#candidate(candidate);
    pc.onconnectionstatechange = () => this.#follow();
    pc.ontrack = ({ track: theirs }) => {
      this.#audio.srcObject = new MediaStream([theirs]);
      this.hear();
    };
    pc.addTrack(track);
  }

  /** Play what comes. Browsers that play nothing unasked want a click for it. */
  hear() {
    this.#audio
      .play()
      .then(
        () => (this.blocked = false),
        () => (this.blocked = !this.#gone),
      )
      .then(this.changed);
  }

  /** What the other page said. @param {Record<string, unknown>} told */
  async heard({ description, candidates }) {
    const { pc } = this;
    try {
      if (description)
        await this.#described(/** @type {RTCSessionDescriptionInit} */ (description));
      for (const candidate of Array.isArray(candidates) ? candidates : []) {
        try {
          await pc.addIceCandidate(candidate);
        } catch (why) {
          if (!this.#ignoring) throw why;
        }
      }
    } catch {
      if (!this.#gone) this.#become("failed");
    }
  }

  /** Look whether the other speaks. @returns {Promise<number>} how loud your own microphone is */
  async measure() {
    const waited = this.stand === "connecting" ? performance.now() - this.#since : 0;
    if (waited > PATIENCE) this.#become("failed");
    else if (waited > PATIENCE / 3) this.#restart();
    let own = 0;
    let theirs = 0;
    if (!this.#gone)
      for (const report of (await this.pc.getStats()).values())
        if (report.type === "media-source") own = report.audioLevel ?? 0;
        else if (report.type === "inbound-rtp") theirs = report.audioLevel ?? 0;
    this.speaks = this.#ear.hears(theirs) && this.stand === "connected" && !this.muted;
    return own;
  }

  close() {
    clearTimeout(this.#timer);
    this.pc.close();
    this.#audio.pause();
    this.#audio.srcObject = null;
  }

  get #gone() {
    return this.pc.signalingState === "closed";
  }

  async #offer() {
    this.#making = true;
    try {
      await this.pc.setLocalDescription();
      this.#describe();
    } catch {
      if (!this.#gone) this.#become("failed");
    } finally {
      this.#making = false;
    }
  }

  /** @param {RTCSessionDescriptionInit} description */
  async #described(description) {
    const { pc } = this;
    const offer = description.type === "offer";
    const free = !this.#making && (pc.signalingState === "stable" || this.#answering);
    this.#ignoring = offer && !free && !this.polite;
    if (this.#ignoring) return;
    this.#answering = !offer;
    await pc.setRemoteDescription(description);
    this.#answering = false;
    if (!offer) return;
    await pc.setLocalDescription();
    this.#describe();
  }

  #describe() {
    const { localDescription } = this.pc;
    if (localDescription) this.say({ description: localDescription.toJSON() });
  }

  /** @param {RTCIceCandidate | null} candidate null: there are no more */
  #candidate(candidate) {
    if (candidate) this.#found.push(candidate.toJSON());
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (this.#found.length) this.say({ candidates: this.#found.splice(0) });
      },
      candidate ? GATHER : 0,
    );
  }

  #follow() {
    const { pc } = this;
    switch (pc.connectionState) {
      case "connected":
        this.#again = false;
        return this.#become("connected");
      case "failed":
        this.#restart();
        return this.#become("failed");
      case "connecting":
      case "disconnected":
        return this.#become("connecting");
    }
  }

  /** There may be another way between the two: it is looked for once. */
  #restart() {
    if (this.#again || this.polite || this.#gone) return;
    this.#again = true;
    this.pc.restartIce();
  }

  /** @param {Stand} stand */
  #become(stand) {
    if (stand === "connecting" && this.stand !== stand) this.#since = performance.now();
    this.stand = stand;
    this.changed();
  }
}
