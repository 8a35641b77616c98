// Checks the page in examples/web: its types, its form, and that what it brings along is
// untouched.
//
//   node tools/page.mjs write    copy the view library's files from its package anew,
//                                and format the rest
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

/** @param {string} program @param {string[]} options */
function run(program, ...options) {
  const path = join(here, "node_modules", program);
  const told = spawnSync(process.execPath, [path, ...options], { encoding: "utf8", cwd: page });
  console.log((told.stdout + told.stderr).trimEnd());
  if (told.status !== 0) faults += 1;
}

run("typescript/bin/tsc", "--project", page);
// Templates are left as they are: space between their parts is space on the page.
const form = ["--print-width=100", "--embedded-language-formatting=off", "--log-level=warn"];
const files = ["*.js", "*.css", "!vendor/**"];
run("prettier/bin/prettier.cjs", `--${mode === "write" ? "write" : "check"}`, ...form, ...files);
process.exitCode = faults ? 1 : 0;
