// @ts-check
/** Four short sounds, made here; never the only sign of anything. */

/** @typedef {"card" | "turn" | "trick" | "end"} Sound */

/** Pitches in Hz, one after the other. @type {Record<Sound, number[]>} */
const NOTES = { card: [220], turn: [523, 659], trick: [392, 330], end: [392, 494, 587, 784] };
const LENGTH = 0.09; // s
/** @type {AudioContext | undefined} */
let audio;

/** @param {Sound} sound */
export function play(sound) {
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const pitch of NOTES[sound]) {
    const note = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const loud = new GainNode(audio, { gain: 0.08 });
    loud.gain.exponentialRampToValueAtTime(0.001, at + LENGTH);
    note.connect(loud).connect(audio.destination);
    note.start(at);
    note.stop(at + LENGTH);
    at += LENGTH;
  }
}
