import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { renameHeld, writeDraft } from "../../lib/server/disk/rename-held.mjs";
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from "../../lib/wire/proof.mjs";
import { setDamagedAside } from "./damaged-file.mjs";
import { inDataDir } from "./data-dir.mjs";

/**
 * What a server writes to the data folder while it runs, so that a second start finds it.
 *
 * `host` is where its owner reaches it, `listensAt` what `--host` said; `build` tells it from other builds: see `buildOf`; `prices` and `archiveDir` are
 * real paths, or empty where it has none.
 *
 * @typedef {{ pid: number, host: string, port: number, basePath: string, token: string, listensAt: string, allowHosts: string[], roots: string[], prices: string, archiveDir: string, build: string }} RunningServer
 */

/** @param {string} dataDir */
const noteFile = (dataDir) => join(dataDir, "server.json");

/**
 * The server that runs on a data folder, or `null`. A killed server leaves its note behind, and other programs may have
 * taken its number and its port: the note is only trusted if the process that it names is there and this account's, which
 * is sent a signal after an update, and if whoever listens there proves that they know the token, which they are sent.
 *
 * @param {string} dataDir
 * @returns {Promise<RunningServer | null>}
 * @throws {UsageError} when the note cannot be read
 */
export async function findRunningServer(dataDir) {
  const noted = inDataDir(dataDir, () => readNote(dataDir));
  if (noted === null || !isOwn(noted.pid)) return null;
  return (await answers(noted)) ? noted : null;
}

/**
 * The process that was noted as the server of a data folder at this port and is still there, though it may not answer;
 * `null` for none.
 *
 * @param {string} dataDir
 * @param {number} port
 * @returns {number | null}
 */
export function pidNotedAt(dataDir, port) {
  const noted = inDataDir(dataDir, () => readNote(dataDir));
  return noted !== null && noted.port === port && isOwn(noted.pid) ? noted.pid : null;
}

/** @param {number} pid @returns {boolean} whether this account has such a process */
function isOwn(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * @param {string} dataDir
 * @param {RunningServer} server
 */
export function noteRunningServer(dataDir, server) {
  const draft = `${noteFile(dataDir)}.${process.pid}`;
  writeDraft(draft, JSON.stringify(server));
  renameHeld(draft, noteFile(dataDir));
}

/**
 * Stops a server that `findRunningServer` found. Resolves once it no longer answers, after at most five seconds.
 *
 * @param {RunningServer} server
 * @returns {Promise<boolean>} whether it has ended
 */
export async function endRunningServer(server) {
  const lastTryMs = performance.now() + 5_000;
  try {
    process.kill(server.pid, "SIGTERM");
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code !== "ESRCH") return false; // it runs under another account
  }
  while (await answers(server)) {
    if (performance.now() > lastTryMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

/** @param {string} dataDir removes the note if it is this process's own; one that stays names a process that is gone */
export function forgetRunningServer(dataDir) {
  try {
    if (readNote(dataDir)?.pid === process.pid) rmSync(noteFile(dataDir), { force: true });
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code === undefined) throw cause;
  }
}

/**
 * @param {string} dataDir
 * @returns {RunningServer | null}
 */
function readNote(dataDir) {
  const file = noteFile(dataDir);
  try {
    const note = toNote(JSON.parse(readFileSync(file, "utf8")));
    if (note !== null) return note;
  } catch (cause) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === "ENOENT") return null;
    if (code !== "EISDIR" && !(cause instanceof SyntaxError)) throw cause;
  }
  const message = "the note of a running server in the data folder was damaged";
  setDamagedAside(file, message, "Should one still run there, stop it first.");
  return null;
}

/**
 * A parsed note, or `null` for any other JSON.
 *
 * @param {unknown} json
 * @returns {RunningServer | null}
 */
function toNote(json) {
  if (typeof json !== "object" || json === null) return null;
  const {
    pid,
    host,
    port,
    basePath = "",
    token,
    listensAt = "",
    allowHosts = [],
    roots,
    prices = "",
    archiveDir = "",
    build = "",
  } = /** @type {Record<string, unknown>} */ (json);
  const isText = (/** @type {unknown} */ text) => typeof text === "string";
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  const isNote =
    isPort &&
    Number.isInteger(pid) &&
    Number(pid) > 0 &&
    [host, basePath, token, listensAt, prices, archiveDir, build].every(isText) &&
    [allowHosts, roots].every((list) => Array.isArray(list) && list.every(isText));
  if (!isNote) return null;
  return /** @type {RunningServer} */ ({
    ...{ pid, host, port, basePath, token, listensAt, allowHosts },
    ...{ roots, prices, archiveDir, build },
  });
}

/**
 * Resolves to whether the server that knows this token answers within two seconds. It is not sent the token: a program that
 * has taken its port would have it.
 *
 * @param {Pick<RunningServer, "host" | "port" | "basePath" | "token">} server
 * @returns {Promise<boolean>}
 */
export function answers({ token, ...server }) {
  const url = new URL(`${localUrl(server)}/api/health`);
  const challenge = randomBytes(16).toString("hex");
  const expected = createHmac("sha256", token).update(provenText(challenge, url.host)).digest();
  return new Promise((resolve) => {
    const asked = request(url, { headers: { [CHALLENGE_HEADER]: challenge }, timeout: 2_000, agent: false });
    asked.on("response", (response) => {
      response.resume();
      const proof = Buffer.from(String(response.headers[PROOF_HEADER]), "hex");
      resolve(proof.length === expected.length && timingSafeEqual(proof, expected));
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
    asked.on("close", () => resolve(false));
    asked.end();
  });
}

const WILDCARDS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
]);

/**
 * The URL, without a trailing slash, under which this machine reaches a server.
 *
 * @param {Pick<RunningServer, "host" | "port" | "basePath">} server
 */
export function localUrl({ host, port, basePath }) {
  const name = WILDCARDS.get(host) ?? (host.includes(":") ? `[${host}]` : host);
  return `http://${name}${port === 80 ? "" : `:${port}`}${basePath}`;
}
