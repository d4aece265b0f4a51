import http from "node:http";

/**
 * Has the next HTTP server that this process makes refuse, before anything else sees it, what the gate in
 * proxy.ts cannot see or would see too late.
 *
 * @param {(server: http.Server) => void} prepare is called with the server before its maker has it
 */
export function guardNextServer(prepare) {
  const { createServer } = http;
  http.createServer = /** @type {typeof createServer} */ (
    (/** @type {any[]} */ ...args) => {
      http.createServer = createServer;
      const listener = /** @type {http.RequestListener} */ (args.pop());
      const server = createServer({ ...args[0], ...TIMES }, (request, response) => {
        const refusal = refusalOf(request);
        if (refusal) refuse(response, refusal);
        else listener(withoutClaims(request), response);
      });
      prepare(server);
      keepFromNext(server);
      return server;
    }
  );
}

/** A client that dawdles over its headers is cut off; Node looks for such ones at an interval. */
const TIMES = { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 };

/**
 * @typedef {{ status: number, code: string, message: string, hint: string }} Refusal
 *
 * @param {http.IncomingMessage} request
 * @returns {Refusal | null}
 */
function refusalOf({ url, rawHeaders }) {
  // Node keeps the first of two Hosts, and allows none in HTTP/1.0.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts !== 1) {
    return {
      status: 403,
      code: "host-not-allowed",
      message: "A request must name one host.",
      hint: "Send exactly one Host header.",
    };
  }
  // An absolute URL names a second host; `//` and `\` are redirected by Next before the gate is asked.
  if (!url?.startsWith("/") || /^[^?]*(\/\/|\\)/.test(url)) {
    return {
      status: 400,
      code: "bad-target",
      message: "The address must be a path.",
      hint: "Send a path that starts with one slash.",
    };
  }
  return null;
}

/**
 * Keeps two events from Next: upgrades, for which it would add a listener that no gate stands before, and
 * errors, on which it would print a trace and exit.
 *
 * @param {http.Server} server
 */
function keepFromNext(server) {
  const { on } = server;
  on.call(server, "upgrade", (_request, socket) => {
    socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  });
  const kept = new Set(["upgrade", "error"]);
  server.on = server.addListener = function (/** @type {any} */ event, /** @type {any} */ listener) {
    return kept.has(event) ? this : on.call(this, event, listener);
  };
}

/**
 * Strips headers by which a caller could speak for a proxy, or for Next itself (CVE-2025-29927).
 *
 * @param {http.IncomingMessage} request
 */
function withoutClaims(request) {
  for (const name of Object.keys(request.headers)) {
    if (/^(x-forwarded-|x-middleware-|x-nextjs-|x-next-|forwarded$)/.test(name)) delete request.headers[name];
  }
  return request;
}

/**
 * @param {http.ServerResponse} response
 * @param {Refusal} refusal
 */
function refuse(response, { status, ...error }) {
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(JSON.stringify({ error }));
}
