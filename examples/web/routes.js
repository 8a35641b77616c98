// @ts-check
/** Where the address's fragment leads. A link's secret is in it, and so in no log. */

/** @typedef {import("./store.js").Route} Route */

/** @returns {Route} */
export function here() {
  const [, name = "", first = "", second = ""] = location.hash.split("/");
  if (name === "join" && second) return { name, table: first, invite: second };
  if (name === "table" && first) return { name, table: first };
  if (name === "watch" && Number(second)) return { name, table: first, deal: Number(second) };
  if (name === "rules" || name === "sample") return { name };
  return { name: "doors" };
}

/** @param {Route} route */
export function address(route) {
  const { name } = route;
  if (name === "doors") return "#/";
  const rest =
    name === "join"
      ? [route.table, route.invite]
      : name === "watch"
        ? [route.table, route.deal]
        : name === "table"
          ? [route.table]
          : [];
  return `#/${[name, ...rest].join("/")}`;
}

/** @param {Route} route @param {boolean} [replace] leave no way back: the link has been used */
export function go(route, replace = false) {
  if (!replace) {
    location.hash = address(route);
    return;
  }
  history.replaceState(null, "", address(route));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
