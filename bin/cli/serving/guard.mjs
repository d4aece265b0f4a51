import http from "node:http";
import { enterBasePath, nameFilesBelow } from "./base-path.mjs";
import { Connections } from "./connections.mjs";
import { isRouterState } from "./router-state.mjs";

/**
 * Makes the next HTTP server in this process reject, before any other code runs, requests that the gate in proxy.ts
 * can't see or would see too late: Next starts to buffer a body before it calls the gate. What passes and asks for a
 * script or style of a page is answered here, all else by Next.
 *
 * @param {(server: http.Server) => void} prepare called with the server before the caller of `createServer` gets it
 * @param {string} basePath below which everything is served: see base-path.mjs
 */
export function guardNextServer(prepare, basePath = "") {
  const { createServer } = http;
  http.createServer = /** @type {typeof createServer} */ (
    (/** @type {any[]} */ ...args) => {
      http.createServer = createServer;
      const listener = /** @type {http.RequestListener} */ (args.pop());
      /** @type {http.RequestListener} */
      const guard = (request, response) => {
        connections.serve(request, response, gate()?.isOwner(request.headers) === true);
        void pass(request, response, listener, basePath);
      };
      const server = createServer({ ...args[0], ...TIMES, maxHeaderSize: MAX_HEADER_BYTES }, guard);
      const connections = new Connections(server, MAX_SOCKETS);
      server.on("checkContinue", guard);
      prepare(server);
      hideFromNext(server);
      return server;
    }
  );
}

/** Slow clients are disconnected; Node checks for them at an interval. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 };
const MAX_SOCKETS = 1_000;
/** An address may name 500 sessions or records, or hold a long line of a file, each byte of it escaped. */
const MAX_HEADER_BYTES = 64 << 10;
/** How long to keep reading after a refusal: closing with unread bytes would discard the response as well. */
const LINGER_MS = 1_000;

/** @typedef {{ status: number, code: string, message: string, hint: string, allow?: string }} Refusal */

/** Connections that a refusal has ended; everything else that arrives on them is ignored. */
const ended = new WeakSet();

/**
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 * @param {http.RequestListener} listener
 * @param {string} basePath
 */
async function pass(request, response, listener, basePath) {
  if (ended.has(request.socket)) return void request.resume();
  const isInside = enterBasePath(request, basePath);
  const refusal = refusalOf(request) ?? (isInside ? null : OUTSIDE);
  if (refusal) return refuse(request, response, refusal);
  if (basePath !== "") nameFilesBelow(request, response, basePath);
  else if (sendFile(request, response)) return;
  if (!hasBody(request)) return listener(stripProxyHeaders(request), response);
  if (request.headers.expect !== undefined) response.writeContinue();
  const { maxBodyBytes, bodyTooLarge } = /** @type {Gate} */ (gate());
  const body = await readBody(request, maxBodyBytes);
  if (body === "too large") refuse(request, response, bodyTooLarge);
  else if (body !== null) listener(stripProxyHeaders(withBody(request, body)), response);
}

/**
 * Sends a file of the pages past Next.
 *
 * @param {http.IncomingMessage} request that passed the gate
 * @param {http.ServerResponse} response
 * @returns {boolean} whether it is one
 */
function sendFile({ method = "", url = "", headers }, response) {
  const file = gate()?.staticFile(method, url, headers);
  if (!file) return false;
  response.writeHead(200, file.headers).end(file.body);
  return true;
}

/**
 * @param {http.IncomingMessage} request
 * @returns {Refusal | null}
 */
function refusalOf({ method = "", url, headers, rawHeaders }) {
  // Node keeps the first of two Host headers, and accepts HTTP/1.0 requests without any.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts !== 1) {
    return {
      status: 403,
      code: "host-not-allowed",
      message: "A request must name one host.",
      hint: "Send exactly one Host header.",
    };
  }
  // An absolute URL carries a second host; Next redirects `//` and `\` before it calls the gate.
  if (!url?.startsWith("/") || /^[^?]*(\/\/|\\)/.test(url)) {
    return {
      status: 400,
      code: "bad-target",
      message: "The address must be a path.",
      hint: "Send a path that starts with one slash.",
    };
  }
  // Next answers an escape that spells no character with a bare 500, before it calls the gate.
  if (!isDecodable(url)) {
    return {
      status: 400,
      code: "bad-target",
      message: "The address has an escape that spells no character.",
      hint: "Send a path in UTF-8, each byte that must be escaped as % and two hex digits.",
    };
  }
  const published = gate();
  if (published) return published.check(method, url, headers);
  // Requests that only read can wait in Next until the gate is loaded, and proxy.ts checks them.
  return (method === "GET" || method === "HEAD") && !hasBody({ headers }) ? null : STARTING;
}

/**
 * Whether the path can be read as text. What stands in a query is read leniently, by whoever asks for it.
 *
 * @param {string} url
 */
function isDecodable(url) {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/**
 * The gate's checks, which lib/server/http publishes once Next has loaded it.
 *
 * @typedef {object} Gate
 * @property {(method: string, url: string, headers: http.IncomingHttpHeaders) => Refusal | null} check
 * @property {(headers: http.IncomingHttpHeaders) => boolean} isOwner
 * @property {number} maxBodyBytes
 * @property {Refusal} bodyTooLarge
 * @property {(method: string, url: string, headers: http.IncomingHttpHeaders) => { headers: http.OutgoingHttpHeaders, body: Uint8Array } | null} staticFile
 *
 * @returns {Gate | undefined}
 */
const gate = () => /** @type {any} */ (globalThis)[Symbol.for("backscroll.gate")];

/** @type {Refusal} */
const STARTING = {
  status: 503,
  code: "starting",
  message: "Backscroll is starting.",
  hint: "Ask again in a moment.",
};

/** @type {Refusal} */
const OUTSIDE = {
  status: 404,
  code: "not-found",
  message: "There is nothing at this address.",
  hint: "Backscroll was started with --base-path, and is below that path alone.",
};

/** @param {Pick<http.IncomingMessage, "headers">} request */
function hasBody({ headers }) {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Reads a whole body, so that no code behind the guard has to wait for one.
 *
 * @param {http.IncomingMessage} request
 * @param {number} maxBytes
 * @returns {Promise<Buffer | "too large" | null>} null when the client went away or took too long
 */
function readBody(request, maxBytes) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let bytes = 0;
    request.on("data", (chunk) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      resolve("too large");
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", () => resolve(null));
    request.on("close", () => resolve(null));
  });
}

/**
 * A request whose body can be read again, from the buffer.
 *
 * @param {http.IncomingMessage} request
 * @param {Buffer} body
 */
function withBody(request, body) {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const whole = new http.IncomingMessage(request.socket);
  Object.assign(whole, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  whole.complete = true;
  whole.push(body);
  whole.push(null);
  return whole;
}

/**
 * Hides two events from Next: upgrades, for which it would add a listener that bypasses the gate, and errors, on which
 * it would print a stack trace and exit. Nothing is ever tunnelled.
 *
 * @param {http.Server} server
 */
function hideFromNext(server) {
  const on = /** @type {(event: string, listener: (...args: any[]) => void) => http.Server} */ (
    server.on.bind(server)
  );
  on("upgrade", (_request, socket) => answerRaw(socket, "403 Forbidden"));
  on("connect", (_request, socket) => answerRaw(socket, "405 Method Not Allowed", "allow: GET, HEAD\r\n"));
  const kept = new Set(["upgrade", "connect", "error"]);
  server.on = server.addListener = function (/** @type {any} */ event, /** @type {any} */ listener) {
    return kept.has(event) ? this : on(event, listener);
  };
}

/**
 * Answers on a socket that Node no longer manages, so it has no timeouts or listeners.
 *
 * @param {import("node:stream").Duplex} socket
 * @param {string} status
 * @param {string} [headers] whole lines
 */
function answerRaw(socket, status, headers = "") {
  socket.on("error", () => socket.destroy());
  socket.resume();
  socket.write(`HTTP/1.1 ${status}\r\n${headers}connection: close\r\ncontent-length: 0\r\n\r\n`);
  endInTime(socket);
}

/**
 * Strips headers with which a caller could pose as a proxy, or as Next itself (CVE-2025-29927), and a state of its router
 * that it cannot read. On the API also those of Next's own navigation, which it answers with a redirect.
 *
 * @param {http.IncomingMessage} request
 */
function stripProxyHeaders(request) {
  const stripped = /^\/api(\/|\?|$)/i.test(request.url ?? "") ? POSING_OR_NAVIGATING : POSING;
  for (const name of Object.keys(request.headers)) {
    if (stripped.test(name)) delete request.headers[name];
  }
  const state = request.headers[ROUTER_STATE];
  if (state !== undefined && !isRouterState(String(state))) delete request.headers[ROUTER_STATE];
  return request;
}

const ROUTER_STATE = "next-router-state-tree";
const POSING = /^(x-forwarded-|x-middleware-|x-nextjs-|x-next-|forwarded$)/;
const POSING_OR_NAVIGATING = new RegExp(`${POSING.source}|^(rsc$|next-)`);

/**
 * Sends a refusal and ends the connection. Whatever the client still sends is discarded.
 *
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 * @param {Refusal} refusal
 */
function refuse(request, response, { status, allow, ...error }) {
  const { socket } = request;
  ended.add(socket);
  // Node calls this after the response has been sent, and would close the socket at once.
  socket.destroySoon = () => endInTime(socket);
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    ...(allow === undefined ? {} : { allow }),
    connection: "close",
  });
  response.end(JSON.stringify({ error }));
  request.resume();
}

/** @param {import("node:stream").Duplex} socket */
function endInTime(socket) {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}
