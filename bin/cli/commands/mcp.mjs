import { createInterface } from "node:readline";
import { print } from "../print.mjs";
import { send, wordsOf } from "./ask.mjs";

/**
 * A JSON-RPC message, as far as it matters for passing it on.
 *
 * @typedef {{ id?: string | number | null, method?: string, params?: { name?: unknown, uri?: unknown, requestId?: string | number, _meta?: Record<string, unknown> } }} Message
 */

/** Where messages of the protocol's 2026 revision state their revision. */
const META = "_meta";
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Error codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INTERNAL_ERROR = -32_603;

/**
 * `backscroll mcp`: passes messages of the Model Context Protocol from stdin to the server, by HTTP, and its answers to
 * stdout. Ends when stdin does and all messages are answered.
 *
 * @param {import("./ask.mjs").Server} server
 * @param {{ redact: boolean }} options
 * @param {() => Promise<import("./ask.mjs").Server>} findServer finds another one when that has ended, as after an update
 * @param {NodeJS.ReadableStream} [from]
 * @param {(line: string) => void} [to]
 */
export async function passOnMcp(server, { redact }, findServer, from = process.stdin, to = print) {
  /** @type {Map<string | number, AbortController>} by the ids of the requests that are being answered */
  const underWay = new Map();
  /** @type {Set<string | number>} the ids of requests for a stream that ends only when the client does */
  const endless = new Set();
  /** @type {Set<Promise<void>>} */
  const answering = new Set();
  let asked = Promise.resolve(server);

  /** @param {object} message */
  const reply = (message) => to(`${JSON.stringify(message)}\n`);

  /** @param {string} line */
  async function passOn(line) {
    const message = parsed(line);
    if (message === null) return reply(failure(null, PARSE_ERROR, "This line is not valid JSON"));
    const { id = null, method, params } = message;
    // Cancelled here: the server answers each message on its own and knows of no other.
    if (method === "notifications/cancelled") return underWay.get(params?.requestId ?? "")?.abort();
    const { signal } = id === null ? {} : begin(id);
    if (id !== null && method === "subscriptions/listen") endless.add(id);
    try {
      await answerTo(await sendOn(line, message, signal), id, reply);
    } catch (cause) {
      // The client no longer waits for it.
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
   * Sends a message, to another server if the current one has ended.
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
    // A server that was started for this command has no pages that stay.
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
 * The headers of a message; the 2026 revision requires some of its fields there as well.
 *
 * @param {Message} message
 * @returns {Record<string, string>}
 */
function headersOf({ method, params }) {
  const accept = { accept: "application/json, text/event-stream" };
  const version = params?.[META]?.[VERSION_KEY];
  // The server says what is wrong with a message of which a header cannot be made.
  if (!isPlain(version) || !isPlain(method)) return accept;
  const name = params?.name ?? params?.uri;
  return {
    ...accept,
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(isPlain(name) ? { "mcp-name": name } : {}),
  };
}

/**
 * @param {unknown} value
 * @returns {value is string} whether it can stand in a header
 */
const isPlain = (value) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value);

/**
 * Writes the server's answer: one message, a stream of messages, or nothing for a notification.
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
  // The API itself refused the message, for example because it is too long.
  const { error } = /** @type {{ error?: { message: string, hint: string } }} */ (refusal ?? {});
  reply(failure(id, INTERNAL_ERROR, error ? wordsOf(error) : `status ${response.status}`));
}

/**
 * The body, or for an event stream the data of each event as it arrives.
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
