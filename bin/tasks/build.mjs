import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiledFolder } from "../cli/compile-cache.mjs";
import { alone } from "./alone.mjs";
import { DIST_DIR, keepServer, newestServer } from "./built-servers.mjs";
import { compileModulesAtOnce } from "./eager-modules.mjs";
import { buildExportedPage } from "./exported-page.mjs";
import { installMissing } from "./install.mjs";
import { formatNotices, shippedPackages } from "./notices.mjs";
import { precompile } from "./precompile.mjs";
import { asProgram, isProgram, ROOT, runTool, StepFailure, step } from "./run.mjs";
import { listFiles, SOURCES } from "./source-files.mjs";
import { bundleThreads } from "./thread-files.mjs";

/** Where Next puts a server that it has built. */
const STANDALONE = join(ROOT, DIST_DIR, "standalone");

/**
 * Included by Next but never loaded by this app: the image optimiser, which the gate blocks (19 MB, and for this
 * platform only), metrics of fonts that we don't use (4 MB), and what runs functions as at an edge (1.3 MB), since ours
 * run in Node.
 */
const UNUSED = [
  "sharp",
  "@img",
  "next/dist/server/capsize-font-metrics.json",
  "next/dist/compiled/edge-runtime",
  "next/dist/compiled/@edge-runtime/primitives",
];

/** Whether the server was built from the sources as they are now. */
export function isBuilt() {
  return newestServer()?.sources === fingerprintSources();
}

/**
 * Builds the server, ready to run: with its static files, and without what it never uses. What another process has built
 * while this one waited for it is not built again.
 *
 * @throws {import("./run.mjs").StepFailure}
 */
export async function buildServer() {
  await alone(ROOT, async (hasWaited) => {
    if (!hasWaited || !isBuilt()) await build();
  });
}

/**
 * Ends a build that would end with a stack: Tailwind finds none of its files below a folder that is called `C#`.
 *
 * @param {string} [root]
 * @throws {StepFailure} that says what to do
 */
export function refuseFolder(root = ROOT) {
  if (root.includes("#"))
    throw new StepFailure(
      `Tailwind can't read below a folder with # in its name: move ${root} elsewhere`,
      "",
    );
}

async function build() {
  refuseFolder();
  const sources = fingerprintSources();
  rmSync(STANDALONE, { recursive: true, force: true });
  await runTool("next/dist/bin/next", ["build"], { NODE_ENV: "production" });

  // Next also copies files that the server might read, such as the samples' logs.
  const ours = [DIST_DIR, "node_modules", "package.json", "server.js"];
  for (const name of readdirSync(STANDALONE).filter((entry) => !ours.includes(entry))) {
    rmSync(join(STANDALONE, name), { recursive: true });
  }
  cpSync(join(ROOT, DIST_DIR, "static"), join(STANDALONE, DIST_DIR, "static"), { recursive: true });
  compileModulesAtOnce(join(STANDALONE, DIST_DIR, "static", "chunks"));
  if (existsSync(join(ROOT, "public"))) {
    cpSync(join(ROOT, "public"), join(STANDALONE, "public"), { recursive: true });
  }
  await buildExportedPage(join(ROOT, DIST_DIR, "static", "chunks"), join(STANDALONE, "exported-page.json"));
  // Lists of the files that each page may read, not needed after the build: 4 MB.
  for (const name of readdirSync(STANDALONE, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".nft.json") && !name.startsWith("node_modules")) rmSync(join(STANDALONE, name));
  }
  for (const unused of UNUSED)
    rmSync(join(STANDALONE, "node_modules", unused), { recursive: true, force: true });
  const chunks = join(STANDALONE, DIST_DIR, "server", "chunks");
  await bundleThreads(chunks);
  shareEqualChunks(chunks);
  const server = keepServer(STANDALONE, sources);
  await precompile(server).catch((/** @type {Error} */ { message }) => {
    process.stderr.write(
      `backscroll: starts will take longer, since nothing could be compiled: ${message}\n`,
    );
  });
}

/** A hash of the path, size and modification time of every source: cheap, and different after any edit. */
function fingerprintSources() {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap(listFiles)) {
    const { size, mtimeMs } = statSync(join(ROOT, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest("hex");
}

/**
 * Prepares `npm start` in a clone: installs what is missing, and builds if the build is missing or stale. Returns the
 * path of the server's entry. If a step fails, the process exits with its output and exit code 1.
 */
export async function prepareServer() {
  if (!isBuilt()) {
    try {
      process.stderr.write("… preparing, which takes about a minute the first time\n");
      await installMissing("serve");
      await step("build", buildServer);
    } catch (cause) {
      if (!(cause instanceof StepFailure)) throw cause;
      process.stderr.write(`${cause.output.trimEnd()}\nbackscroll: ${cause.message}\n`);
      process.exit(1);
    }
  }
  return join(builtFolder(), "server.js");
}

/** The folder of a server that has just been found or built. */
function builtFolder() {
  return /** @type {{ folder: string }} */ (newestServer()).folder;
}

/** Source maps, the build's fingerprint, and what this Node has compiled: a package needs none of it. */
const LEFT_OUT = /\.map$|backscroll-build\.json$/;

/** Copies the built server to `dist/`, from where `npm pack` takes it, with the licences of all that it contains. */
export function packageDist() {
  const dist = join(ROOT, "dist");
  rmSync(dist, { recursive: true, force: true });
  // npm silently drops symbolic links, so each is replaced by its target.
  const built = builtFolder();
  const isLeftOut = (/** @type {string} */ path) => LEFT_OUT.test(path) || path === compiledFolder(built);
  cpSync(built, dist, { recursive: true, dereference: true, filter: (path) => !isLeftOut(path) });
  writeFileSync(join(dist, "third-party-licenses.txt"), `${formatNotices(shippedPackages())}\n`);
  forgetRoot(dist);
  forgetMaps(join(dist, ".next", "server", "chunks"));
}

/** Behind every chunk, the name of its source map. */
const MAP_NAME = /\n*\/\/# sourceMappingURL=\S*\s*$/;
const SHARES = "module.exports=require(";

/**
 * Every route and every worker thread has a chunk of its own of what it shares with others: two thirds of all code, which
 * a thread that answers many routes would read, compile and keep several times. Of equal ones the first stays, and the
 * others load it.
 *
 * @param {string} folder
 */
export function shareEqualChunks(folder) {
  const first = new Map();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith(".js")) continue;
    const code = readFileSync(join(folder, name), "utf8").replace(MAP_NAME, "\n");
    if (code.startsWith(SHARES)) continue;
    const shared = first.get(code);
    if (shared === undefined) first.set(code, name);
    else writeFileSync(join(folder, name), `${SHARES}${JSON.stringify(`./${shared}`)});\n`);
  }
}

/**
 * Removes the names of the source maps, which no package has.
 *
 * @param {string} folder of chunks
 */
function forgetMaps(folder) {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".js")) continue;
    const code = readFileSync(join(folder, name), "utf8");
    writeFileSync(join(folder, name), code.replace(MAP_NAME, "\n"));
  }
}

/**
 * Removes the path of the repository, which Next writes into its output for error messages.
 *
 * @param {string} dist
 */
function forgetRoot(dist) {
  const named = [ROOT, ROOT.replace(/[\\/]$/, "")].map((path) => JSON.stringify(path).slice(1, -1));
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(js|json)$/.test(entry.name) || file.includes("node_modules")) continue;
    const text = readFileSync(file, "utf8");
    const forgetful = named.reduce((rest, path) => rest.replaceAll(path, "/backscroll/"), text);
    if (forgetful !== text) writeFileSync(file, forgetful);
  }
}

// `npm run build`; `npm pack` runs it with --package first.
if (isProgram(import.meta.url)) {
  await asProgram(async () => {
    const forPackage = process.argv.includes("--package");
    // A package also tells the licence of what only its prices were taken from.
    await installMissing(forPackage ? "develop" : "serve");
    if (!forPackage || !isBuilt()) await step("build", buildServer);
    if (forPackage) await step("dist", async () => packageDist());
  });
}
