import { createInterface } from "node:readline";
import { print } from "../print.mjs";
import { send, wordsOf } from "./ask.mjs";

/**
 * A message of JSON-RPC, as far as it matters to who passes it on.
 *
 * @typedef {{ id?: string | number | null, method?: string, params?: { name?: unknown, uri?: unknown, requestId?: string | number, _meta?: Record<string, unknown> } }} Message
 */

/** Where a message of the protocol's revision of 2026 says which revision it is of. */
const META = "_meta";
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** JSON-RPC's own codes. */
const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

/**
 * `backscroll mcp`: the Model Context Protocol between an assistant, on stdin and stdout, and the server, which answers each
 * message by HTTP. Ends when stdin does and all is answered.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ redact: boolean }} options
 * @param {() => Promise<import("./ask.mjs").Server>} findServer another one, when that has ended: it was updated, or stopped
 * @param {NodeJS.ReadableStream} [from]
 * @param {(line: string) => void} [to]
 */
export async function passOnMcp(server, { redact }, findServer, from = process.stdin, to = print) {
  /** @type {Map<string | number, AbortController>} what is being answered, by the ids of the requests */
  const underWay = new Map();
  /** @type {Set<string | number>} those of requests for a stream, which ends when whoever asked for it goes */
  const endless = new Set();
  /** @type {Set<Promise<void>>} */
  const answering = new Set();
  let asked = Promise.resolve(server);

  /** @param {object} message */
  const reply = (message) => to(`${JSON.stringify(message)}\n`);

  /** @param {string} line */
  async function passOn(line) {
    const message = parsed(line);
    if (message === null) return reply(failure(null, PARSE_ERROR, "This line is no JSON"));
    const { id = null, method, params } = message;
    // Each message is answered by a server of its own, which knows of no other.
    if (method === "notifications/cancelled") return underWay.get(params?.requestId ?? "")?.abort();
    const { signal } = id === null ? {} : begin(id);
    if (id !== null && method === "subscriptions/listen") endless.add(id);
    try {
      await answerTo(await sendOn(line, message, signal), id, reply);
    } catch (cause) {
      // Nobody waits for it any more.
      if (signal?.aborted) return;
      if (id !== null) reply(failure(id, INTERNAL_ERROR, `Backscroll cannot be asked: ${told(cause)}`));
    } finally {
      if (id !== null) {
        underWay.delete(id);
        endless.delete(id);
      }
    }
  }

  /** @param {string | number} id */
  function begin(id) {
    const cancel = new AbortController();
    underWay.set(id, cancel);
    return cancel;
  }

  /**
   * Asks again where the server has ended meanwhile.
   *
   * @param {string} line
   * @param {Message} message
   * @param {AbortSignal | undefined} signal
   */
  async function sendOn(line, message, signal) {
    const current = asked;
    try {
      return await sendTo(await current, line, message, signal);
    } catch (cause) {
      if (signal?.aborted) throw cause;
      if (asked === current) asked = findServer();
      return sendTo(await asked, line, message, signal);
    }
  }

  /**
   * @param {import("./ask.mjs").Server} one
   * @param {string} line
   * @param {Message} message
   * @param {AbortSignal | undefined} signal
   */
  function sendTo(one, line, message, signal) {
    // The pages of a server that was started for this command end with it.
    const path = `mcp?redact=${redact ? 1 : 0}&links=${"pid" in one ? 1 : 0}`;
    return send(one, path, { method: "POST", text: line, headers: headersOf(message), signal });
  }

  for await (const line of createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    const answer = passOn(line).finally(() => answering.delete(answer));
    answering.add(answer);
  }
  for (const [id, cancel] of underWay) if (endless.has(id)) cancel.abort();
  await Promise.all(answering);
}

/**
 * What the protocol's revision of 2026 wants to be said beside a message, too.
 *
 * @param {Message} message
 * @returns {Record<string, string>}
 */
function headersOf({ method, params }) {
  const accept = { accept: "application/json, text/event-stream" };
  const version = params?.[META]?.[VERSION_KEY];
  if (typeof version !== "string" || typeof method !== "string") return accept;
  const name = params?.name ?? params?.uri;
  return {
    ...accept,
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(typeof name === "string" && /^[\x21-\x7e]+$/.test(name) ? { "mcp-name": name } : {}),
  };
}

/**
 * Writes down what the server answered: one message, a stream of some, or nothing for a notification.
 *
 * @param {Response} response
 * @param {string | number | null} id
 * @param {(message: object) => void} reply
 */
async function answerTo(response, id, reply) {
  let isAnswered = id === null;
  /** @type {object | null} */
  let refusal = null;
  for await (const text of messagesIn(response)) {
    const message = parsed(text);
    if (message === null) continue;
    if ("jsonrpc" in message || Array.isArray(message)) reply(message);
    else refusal = message;
    if ("id" in message || Array.isArray(message)) isAnswered = true;
  }
  if (isAnswered) return;
  // What the API itself refuses, such as a message that is too long.
  const { error } = /** @type {{ error?: { message: string, hint: string } }} */ (refusal ?? {});
  reply(failure(id, INTERNAL_ERROR, error ? wordsOf(error) : `status ${response.status}`));
}

/**
 * The body, or where it is a stream of events what each of them holds, as they come.
 *
 * @param {Response} response
 * @returns {AsyncGenerator<string>}
 */
async function* messagesIn(response) {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return yield response.text();
  const body = /** @type {import("node:stream/web").ReadableStream} */ (response.body);
  const decoder = new TextDecoder();
  let begun = "";
  for await (const piece of body) {
    const lines = (begun + decoder.decode(piece, { stream: true })).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data:")) yield line.slice("data:".length);
  }
}

/** @param {string} text @returns {Message | null} */
function parsed(text) {
  try {
    const json = JSON.parse(text);
    return typeof json === "object" ? json : null;
  } catch {
    return null;
  }
}

/**
 * @param {string | number | null} id
 * @param {number} code
 * @param {string} message
 */
const failure = (id, code, message) => ({ jsonrpc: "2.0", id, error: { code, message } });

/** @param {unknown} cause */
const told = (cause) => (cause instanceof Error ? cause.message : String(cause));
