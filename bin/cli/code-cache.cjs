// For Node before 22.1, which has no `module.enableCompileCache`: to go with support for Node 20. This is CommonJS since
// a thread's `--require` takes nothing else.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const nodePath = require("node:path");
const { Script } = require("node:vm");
const threads = require("node:worker_threads");
const { crc32 } = require("node:zlib");

/** Under which threads are told the folder. */
const FOLDER = "backscroll:code-cache";

/** A thread may be ended at any time: what it has compiled by then is written so long after its start. */
const THREAD_WRITES_MS = 2_000;

/**
 * In Node 20 code that was kept cannot import, since V8 loses which file it is of. So it calls a function instead, which
 * that file is known to. What precedes keeps these from methods of the name. Each begins with the word, which V8 finds by
 * searching: all code of a start is looked through.
 */
const IMPORTS = /import(?<=(?:=>|[(=?:&|[!]|\b(?:await|return|void))\s*import)\s*\((?!\s*\))/g;
const IMPORT = "importFromHere";
/** Code in which something is left that may be such a call is Node's to run. */
const MAY_IMPORT = /import(?<!(?:\.|\w|\basync )import)\s*\((?!\s*\))/;
const PARAMETERS = `exports, require, module, __filename, __dirname, ${IMPORT}`;

/** In front of what V8 made: a checksum of that, and one of the code that it was made of, which V8 does not compare. */
const HEADER_BYTES = 8;

/** `_compile` runs the code of a CommonJS module; Node does not declare it. */
const loader = /** @type {{ prototype: { _compile: Compile } }} */ (/** @type {unknown} */ (Module));

/**
 * @typedef {(this: NodeModule, content: string, filename: string, format?: string) => unknown} Compile
 */

/**
 * Keeps what V8 compiles of CommonJS modules in a folder, for the starts after this one, with the functions that have run
 * by then: in this thread from now on, and in all threads that it starts. It is written as the process exits, and of a
 * thread two seconds after its start. What does not fit any more (other code, another Node, other flags), is damaged or
 * cannot be read is compiled and written again; where nothing can be written, nothing is kept.
 *
 * @param {string} folder made where there is none
 */
function keepCode(folder) {
  threads.setEnvironmentData(FOLDER, folder);
  const original = loader.prototype._compile;
  /** @type {Map<string, { script: Script, checksum: number }>} by file, what was not there yet, with its code's */
  const fresh = new Map();

  loader.prototype._compile = function (content, filename, format) {
    const body = content.includes("import") ? content.replace(IMPORTS, `${IMPORT}(`) : content;
    const isOurs = format !== "module" && !MAY_IMPORT.test(body);
    const code = `(function (${PARAMETERS}) { ${body}\n})`;
    const script = isOurs ? compiled(code, filename, nodePath.join(folder, nameOf(filename))) : null;
    if (script === null) return original.call(this, content, filename, format);
    if (script.cachedDataRejected !== false) fresh.set(filename, { script, checksum: crc32(code) });
    const run = script.runInThisContext();
    const { exports } = this;
    const require = Module.createRequire(filename);
    return run.call(
      exports,
      exports,
      require,
      this,
      filename,
      nodePath.dirname(filename),
      importer(filename),
    );
  };

  /** @param {string} filename */
  const importer = (filename) => (/** @type {string} */ name, /** @type {object} */ options) => {
    const here = new Module(filename);
    original.call(here, "module.exports = (name, options) => import(name, options);", filename, "commonjs");
    return here.exports(name, options);
  };

  const write = () => {
    if (fresh.size === 0) return;
    try {
      mkdirSync(folder, { recursive: true });
      for (const [filename, { script, checksum }] of fresh)
        writeFileSync(nodePath.join(folder, nameOf(filename)), packed(script.createCachedData(), checksum));
    } catch {
      // Nothing is lost but time.
    }
    fresh.clear();
  };
  if (threads.isMainThread) process.once("exit", write);
  else setTimeout(write, THREAD_WRITES_MS).unref();
  threads.Worker = withThisLoaded(threads.Worker);
}

/**
 * @param {string} filename
 * @returns {string} apart for threads, which run other functions of the same file
 */
function nameOf(filename) {
  const digest = createHash("sha256").update(filename).digest("hex").slice(0, 32);
  return threads.isMainThread ? digest : `${digest}-thread`;
}

/**
 * @param {string} code with the function around it
 * @param {string} filename
 * @param {string} kept where it may have been kept
 * @returns {Script | null} `null` for what is no such code, and is Node's to run or to refuse
 */
function compiled(code, filename, kept) {
  const cachedData = unpacked(kept, code);
  try {
    return new Script(code, { filename, ...(cachedData ? { cachedData } : {}) });
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/**
 * @param {Buffer} data
 * @param {number} checksum of the code
 */
function packed(data, checksum) {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(crc32(data), 0);
  header.writeUInt32LE(checksum, 4);
  return Buffer.concat([header, data]);
}

/**
 * @param {string} path
 * @param {string} code
 */
function unpacked(path, code) {
  const file = read(path);
  if (file === null || file.length < HEADER_BYTES || file.readUInt32LE(4) !== crc32(code)) return null;
  const data = file.subarray(HEADER_BYTES);
  return file.readUInt32LE(0) === crc32(data) ? data : null;
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/**
 * Threads that load this file before their own code. Where this process was started with flags of Node's, of which a
 * thread is refused some, they go without.
 *
 * @param {typeof threads.Worker} Worker
 */
function withThisLoaded(Worker) {
  if (process.execArgv.length > 0) return Worker;
  return class extends Worker {
    /**
     * @param {string | URL} filename
     * @param {threads.WorkerOptions} [options]
     */
    constructor(filename, options = {}) {
      super(filename, { ...options, execArgv: ["--require", __filename, ...(options.execArgv ?? [])] });
    }
  };
}

const folder = threads.getEnvironmentData(FOLDER);
if (!threads.isMainThread && typeof folder === "string") keepCode(folder);

module.exports = { keepCode };
