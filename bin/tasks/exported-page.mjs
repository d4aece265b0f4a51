import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatNotices, packagesOf } from "./notices.mjs";
import { ROOT, StepFailure } from "./run.mjs";

/** What stands in a file for the modules that need an address, a history or other pages. */
const STAND_INS = join(ROOT, "components/exported/stand-ins.tsx");
const REPLACED =
  /^(?:@\/lib\/client\/address\/(?:session-history|history-entry|page-dialogs|address-writes)|next\/link)$/;
/** What cannot run in a file: a module of it is there when one that has a stand-in was given another name. */
const OF_SERVER = "node_modules/next/";

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
  const packed = gzipSync(highlighter.code, { level: 9 }).toString("base64");
  // Whoever gets an exported file gets code of these packages with it.
  const notices = formatNotices(packagesOf([...script.files, ...highlighter.files]));
  const whole = `${script.code}/*!\nThis page contains code of\n\n${notices.replaceAll("*/", "* /")}\n*/\n`;
  writeFileSync(target, JSON.stringify({ script: insideElement(whole), highlighter: packed, style }));
}

/**
 * @param {string} entry
 * @returns {Promise<{ code: string, files: string[] }>} `files` are those that it is made of
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
        setup: (page) => page.onResolve({ filter: REPLACED }, () => ({ path: STAND_INS })),
      },
    ],
  });
  const [output] = outputFiles;
  if (!output || warnings.length > 0)
    throw new StepFailure("the exported page", warnings.map(({ text }) => text).join("\n"));
  const files = Object.keys(metafile.inputs);
  const foreign = files.find((file) => file.startsWith(OF_SERVER));
  if (foreign) throw new StepFailure(`the exported page holds ${foreign}: which module has no stand-in?`, "");
  return { code: output.text, files };
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
