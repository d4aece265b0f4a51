import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatNotices, packagesOf } from "./notices.mjs";
import { ROOT, StepFailure } from "./run.mjs";

/** What stands in a file for the modules that need an address, a history or other pages, each by its name alone. */
const STAND_INS = join(ROOT, "components/exported/stand-ins.tsx");
const REPLACED = [
  "@/lib/client/address/address-writes",
  "@/lib/client/address/history-entry",
  "@/lib/client/address/page-dialogs",
  "@/lib/client/address/session-history",
  "next/link",
];

/** Parts of the paths of what they stand for, and of what those lead to: Next's router. */
const NEEDS_SERVER = ["node_modules/next/", ...REPLACED.map((name) => name.replace("@/", ""))];

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
    bundleExportedPage(),
    bundle("components/content/code/highlight.worker.ts"),
  ]);
  const style = readdirSync(chunks)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(join(chunks, name), "utf8"))
    .join("\n");
  if (/<\/style|url\(/i.test(style)) throw new StepFailure("the style of the exported page is not whole", "");
  // Grammars are megabytes, of which a tenth is left.
  const packed = gzipSync(highlighter.code, { level: 9 }).toString("base64");
  // Whoever gets an exported file gets code of these packages with it.
  const notices = formatNotices(packagesOf([...script.files, ...highlighter.files]));
  const whole = `${script.code}/*!\nThis page contains code of\n\n${notices.replaceAll("*/", "* /")}\n*/\n`;
  writeFileSync(target, JSON.stringify({ script: insideElement(whole), highlighter: packed, style }));
}

/**
 * The script of the page that an exported file holds.
 *
 * @returns {Promise<{ code: string, files: string[] }>} `files` are those that it is made of
 * @throws {StepFailure} where something in it needs a server's page: a file that holds it shows nothing
 */
export async function bundleExportedPage() {
  const page = await bundle("components/exported/main.tsx");
  const needless = page.files.filter((file) => NEEDS_SERVER.some((part) => file.includes(part)));
  if (needless.length > 0)
    throw new StepFailure(
      "the exported page holds modules that need a server's page",
      `${needless.slice(0, 5).join("\n")}\nReplace them in bin/tasks/exported-page.mjs.`,
    );
  return page;
}

/**
 * @param {string} entry
 * @returns {Promise<{ code: string, files: string[] }>} as `bundleExportedPage`
 */
async function bundle(entry) {
  // In a fresh clone it is installed just before.
  const { build } = await import("esbuild");
  const { outputFiles, warnings, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "iife",
    target: BROWSERS,
    charset: "utf8",
    jsx: "automatic",
    // `formatNotices` tells them in full.
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    // An exported file makes its worker otherwise.
    logOverride: { "empty-import-meta": "silent" },
    plugins: [
      {
        name: "stand-ins",
        setup: (page) =>
          page.onResolve({ filter: /^(?:@|next)\// }, ({ path }) =>
            REPLACED.includes(path) ? { path: STAND_INS } : undefined,
          ),
      },
    ],
  });
  const [output] = outputFiles;
  if (!output || warnings.length > 0)
    throw new StepFailure("the exported page", warnings.map(({ text }) => text).join("\n"));
  return { code: output.text, files: Object.keys(metafile.inputs) };
}

/**
 * A script as it may stand in a `<script>`, where neither its end nor a comment's beginning, behind which the browser would
 * look for another end, may be spelled out.
 *
 * @param {string} script
 */
function insideElement(script) {
  return script.replaceAll("<!--", "\\x3C!--").replaceAll(/<(?=\/script)/gi, "\\x3C");
}
