// Runs the tests under frontend/tests (*.test.ts) with Node's own test runner: `npm test`.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { build } from "esbuild";

const source = join("frontend", "tests");
const output = join("build", "frontend-tests");
const tests = readdirSync(source, { recursive: true }).filter((path) => path.endsWith(".test.ts"));

rmSync(output, { recursive: true, force: true });
await build({
  entryPoints: tests.map((path) => join(source, path)),
  outbase: source,
  outdir: output,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  sourcemap: "inline",
  logLevel: "warning",
});
const built = tests.map((path) => join(output, path.replace(/\.ts$/, ".mjs")));
const ran = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...built], {
  stdio: "inherit",
});
process.exitCode = ran.status ?? 1;
