// @ts-check
/** The seats that are this browser's: their tokens open them again after a reload. */

/** @typedef {import("../../clients/typescript/api.js").components["schemas"]["InviteModel"]} Invite */
/**
 * @typedef {object} Kept
 * @property {string} table
 * @property {number} seat
 * @property {string} token
 * @property {string} name
 * @property {"computer" | "friends" | "open"} mode
 * @property {number} at when it was last used, in ms
 * @property {Invite[]} invites the host's links, as long as they are needed
 * @property {number[]} hands deals that were counted and may be watched
 * @property {string[]} [others] the people who sit there besides, by name
 * @property {boolean} [again] a deal played again: it keeps no score
 * @property {string} [invite] a link to this table that was opened since: it is good for a
 *   seat if this one is somebody else's by now
 */

const KEY = "terziglio.seats";
const MOST = 20;
/** Where a browser keeps nothing. @type {Kept[]} */
let spare = [];

/** @returns {Kept[]} the newest first */
export function seats() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return Array.isArray(found) ? found : spare;
  } catch {
    return spare;
  }
}

/** @param {string} table @returns {Kept | undefined} */
export function seatAt(table) {
  return seats().find((seat) => seat.table === table);
}

/** @param {Kept} seat */
export function keepSeat(seat) {
  store([{ ...seat, at: Date.now() }, ...seats().filter(({ table }) => table !== seat.table)]);
}

/** @param {string} table */
export function forget(table) {
  store(seats().filter((seat) => seat.table !== table));
}

/** @param {Kept[]} all */
function store(all) {
  spare = all.slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(spare));
  } catch {
    // It is kept until the page is left.
  }
}
