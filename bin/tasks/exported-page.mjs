import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT, StepFailure } from "./run.mjs";

const STAND_INS = "components/exported/stand-ins";

/** Modules that need an address, a history or other pages, and what stands for them in a file. */
const REPLACED = {
  "@/lib/client/session-history": `${STAND_INS}/session-history.ts`,
  "@/lib/client/page-dialogs": `${STAND_INS}/page-dialogs.ts`,
  "@/lib/client/address": `${STAND_INS}/address.ts`,
  "next/link": `${STAND_INS}/link.tsx`,
};

/** Browsers that have all that the page uses: highlights of what was found came last. */
const BROWSERS = ["chrome123", "firefox128", "safari17.5"];

/**
 * Builds the page that every exported HTML file holds: one script, the style of the server's own pages, and the source of
 * the worker that highlights code, compressed.
 *
 * @param {string} chunks the folder with the style sheets of Next's build
 * @param {string} target the file that the server reads
 * @throws {StepFailure}
 */
export async function buildExportedPage(chunks, target) {
  const [script, highlighter] = await Promise.all([
    bundle("components/exported/main.tsx"),
    bundle("components/content/code/highlight.worker.ts"),
  ]);
  const style = readdirSync(chunks)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(join(chunks, name), "utf8"))
    .join("\n");
  if (/<\/style|url\(/i.test(style)) throw new StepFailure("the style of the exported page is not whole", "");
  // Grammars are megabytes, of which a tenth is left.
  const packed = gzipSync(highlighter, { level: 9 }).toString("base64");
  writeFileSync(target, JSON.stringify({ script: insideElement(script), highlighter: packed, style }));
}

/**
 * @param {string} entry
 * @returns {Promise<string>}
 */
async function bundle(entry) {
  // In a fresh clone it is installed just before.
  const { build } = await import("esbuild");
  const { outputFiles, warnings } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: BROWSERS,
    charset: "utf8",
    jsx: "automatic",
    legalComments: "eof",
    define: { "process.env.NODE_ENV": '"production"' },
    // An exported file makes its worker otherwise.
    logOverride: { "empty-import-meta": "silent" },
    plugins: [{ name: "stand-ins", setup: replaceModules }],
  });
  const [output] = outputFiles;
  if (!output || warnings.length > 0)
    throw new StepFailure("the exported page", warnings.map(({ text }) => text).join("\n"));
  return output.text;
}

/** @param {import("esbuild").PluginBuild} page */
function replaceModules(page) {
  for (const [name, file] of Object.entries(REPLACED)) {
    const filter = new RegExp(`^${name}$`);
    page.onResolve({ filter }, () => ({ path: join(ROOT, file) }));
  }
}

/**
 * A script as it may stand in a `<script>`: esbuild spells `</script` otherwise, but a comment's beginning would have the
 * browser look for another end.
 *
 * @param {string} script
 */
function insideElement(script) {
  return script.replaceAll("<!--", "\\x3C!--");
}
