// Checks the page in examples/web: its types, and that what it brings along is untouched.
//
//   node tools/page.mjs write    copy the view library's files from its package anew
//   node tools/page.mjs check    fail where one differs, or where tsc finds a fault
//
// `make specs` and `make clients` run it. The package is of the exact version that
// package-lock.json names; of its files only the line is left out that names a source
// map, which is not brought along.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));
const page = join(here, "../../examples/web");
const LIBRARY = "lit-html";

/** A file of the package, as it is brought along. @param {string} name */
function original(name) {
  const text = readFileSync(join(here, "node_modules", LIBRARY, name), "utf8");
  return text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, "\n");
}

const vendored = join(page, "vendor", LIBRARY);
const [mode] = process.argv.slice(2);
let faults = 0;

for (const entry of readdirSync(vendored, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  const text = original(relative(vendored, path));
  if (mode === "write") writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`${relative(page, path)} is not what ${LIBRARY} of the lock file has`);
    faults += 1;
  }
}

const compiler = join(here, "node_modules/typescript/bin/tsc");
const { status, stdout } = spawnSync(process.execPath, [compiler, "--project", page], {
  encoding: "utf8",
});
console.log(stdout.trimEnd());
if (status !== 0) faults += 1;
process.exitCode = faults ? 1 : 0;
