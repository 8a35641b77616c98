// @ts-check
/** The service's operations that this page uses; the only place that knows addresses. */

/** @typedef {import("../../clients/typescript/api.js").paths} Paths */
/** @typedef {import("../../clients/typescript/api.js").components["schemas"]} Schemas */
/** @typedef {Schemas["OpenRequest"]} OpenRequest */
/** @typedef {{ table: string, token: string }} Seated */

/** Where the service is: here, since it serves this page. */
export const SERVER = location.origin;

/** How many ms the service's clock is ahead of this one. */
let ahead = 0;

/** When something was or will be, by this clock; clocks that differ by less than two seconds
 * cannot be told from a slow answer. @param {string} utc as the service writes it */
export function local(utc) {
  return Date.parse(utc) - (Math.abs(ahead) < 2000 ? 0 : ahead);
}

/** What the service refused, or `offline`: it was not reached. */
export class Problem extends Error {
  /** @param {string} code @param {Record<string, string | number>} params */
  constructor(code, params = {}, why = /** @type {Schemas["Why"] | undefined} */ (undefined)) {
    super(code);
    this.code = code;
    this.params = params;
    this.why = why;
  }
}

/**
 * @typedef {object} Request
 * @property {Record<string, string | number>} [path] what stands in the address
 * @property {Record<string, string | number | boolean>} [query]
 * @property {string} [token]
 * @property {string} [key] a random name: asked again, it gives the same
 * @property {unknown} [body]
 * @property {string} [accept]
 */

/**
 * @param {"get" | "post" | "delete"} method
 * @param {keyof Paths} address as the OpenAPI document writes it
 * @param {Request} request
 * @returns {Promise<any>} the answer's JSON; its text if other than JSON was asked for
 */
async function ask(method, address, { path = {}, query = {}, token, key, body, accept } = {}) {
  const url = new URL(
    address.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? "")),
    SERVER,
  );
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  /** @type {Record<string, string>} */
  const headers = { Accept: accept ?? "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(url, {
      method: method.toUpperCase(),
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
      cache: "no-cache",
    });
    ahead = Date.parse(answer.headers.get("date") ?? "") - Date.now() || 0;
    if (answer.ok && accept) return await answer.text();
    if (answer.status === 204) return null;
    if (answer.ok) return await answer.json();
  } catch {
    throw new Problem("offline");
  }
  const told = await answer.json().catch(() => null);
  throw new Problem(told?.code ?? "internal", told?.params, told?.why);
}

/** @param {OpenRequest} body @param {string} key @returns {Promise<Schemas["Opened"]>} */
export const openTable = (body, key) => ask("post", "/v1/tables", { body, key });

/** @param {string} table @returns {Promise<Schemas["SummaryModel"]>} */
export const summary = (table) => ask("get", "/v1/tables/{table}", { path: { table } });

/** @param {string} table @param {string} invite @param {string} name @param {string} key
 * @returns {Promise<Schemas["Seated"]>} */
export const claim = (table, invite, name, key) =>
  ask("post", "/v1/tables/{table}/claims", { path: { table }, key, body: { invite, name } });

/** @param {Seated} by @param {number} seat @returns {Promise<Schemas["InviteModel"]>} */
export const reissue = ({ table, token }, seat) =>
  ask("post", "/v1/tables/{table}/seats/{seat}/invite", { path: { table, seat }, token });

/** @param {Seated} by @returns {Promise<null>} */
export const endTable = ({ table, token }) =>
  ask("delete", "/v1/tables/{table}", { path: { table }, token });

/** @param {Seated} by @param {number} deal @param {number | null} seat whose view the steps show
 * @returns {Promise<Schemas["RecordModel"]>} */
export const record = ({ table, token }, deal, seat = null) =>
  ask("get", "/v1/tables/{table}/hands/{deal}", {
    path: { table, deal },
    token,
    query: seat === null ? { steps: true } : { steps: true, seat },
  });

/** @param {Seated} by @param {number} deal @returns {Promise<string>} the hand in notation */
export const notation = ({ table, token }, deal) =>
  ask("get", "/v1/tables/{table}/hands/{deal}", {
    path: { table, deal },
    token,
    accept: "text/plain",
  });

/** @param {Seated} by @param {number} deal @returns {Promise<Schemas["Opened"]>} */
export const again = ({ table, token }, deal) =>
  ask("post", "/v1/tables/{table}/hands/{deal}/again", { path: { table, deal }, token });

/** @param {Seated} by @param {number} deal
 * @returns {Promise<Schemas["AnalysisModel"] | Schemas["AnalysisState"]>} */
export const askAnalysis = ({ table, token }, deal) =>
  ask("post", "/v1/tables/{table}/hands/{deal}/analysis", { path: { table, deal }, token });

/** @param {Seated} by @param {number} deal
 * @returns {Promise<Schemas["AnalysisModel"] | Schemas["AnalysisState"]>} */
export const analysis = ({ table, token }, deal) =>
  ask("get", "/v1/tables/{table}/hands/{deal}/analysis", { path: { table, deal }, token });

/** @param {Seated} by @returns {Promise<Schemas["HintModel"]>} */
export const hint = ({ table, token }) =>
  ask("get", "/v1/tables/{table}/hint", { path: { table }, token });

/** @param {Seated} by @returns {Promise<Schemas["IceModel"]>} */
export const ice = ({ table, token }) =>
  ask("get", "/v1/tables/{table}/ice", { path: { table }, token });

/** @param {"en" | "it"} lang @returns {Promise<import("./words.js").Catalogue>} */
export const words = (lang) => ask("get", "/v1/meta/words/{lang}", { path: { lang } });

/** @param {"en" | "it"} lang @returns {Promise<Schemas["RulesModel"]>} */
export const rules = (lang) => ask("get", "/v1/meta/rules/{lang}", { path: { lang } });

/** The sample hand, for who has played none. @param {number | null} seat whose view the steps show
 * @param {"en" | "it"} lang @returns {Promise<Schemas["RecordModel"]>} */
export const sample = (seat, lang) =>
  ask("get", "/v1/meta/sample", { query: seat === null ? { lang } : { lang, seat } });

/** @returns {Promise<string>} the sample hand in notation */
export const sampleNotation = () => ask("get", "/v1/meta/sample", { accept: "text/plain" });
