/** Compiles the tests of what needs no browser, and runs them. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build } from "esbuild";

const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "kursbuch-"));
try {
  await build({
    entryPoints: readdirSync(here).filter((name) => name.endsWith(".test.ts")).map((name) => join(here, name)),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2022",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
    logLevel: "warning",
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
