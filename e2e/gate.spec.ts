import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { memoryOf } from "../bench/harness/process-figures";
import { hostileHosts } from "./support/hostile-hosts";
import { get, type RawAnswer, rawRequest } from "./support/raw-request";
import { builtServer, startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

let server: TestServer;
let port = 0;
let own = "";
let bearer = "";
/** A page, an API response, a static file, and four paths that do not exist. */
let targets: string[] = [];

test.beforeAll(async () => {
  server = await startServer({ env: { BACKSCROLL_ALLOW_HOST: "box.example,tunnel.example:8443" } });
  port = Number(new URL(server.url).port);
  own = `Host: 127.0.0.1:${port}`;
  bearer = `Authorization: Bearer ${server.token}`;
  targets = [
    "/",
    "/api/health",
    staticFile(),
    "/_next/static/missing.js",
    "/api/missing",
    "/missing",
    "/missing/",
  ];
});
test.afterAll(() => server.stop());

function staticFile(): string {
  const dist = process.env.BACKSCROLL_DIST_DIR ?? ".next";
  const chunks = readdirSync(join(dirname(builtServer()), dist, "static/chunks"));
  return `/_next/static/chunks/${chunks.find((name) => name.endsWith(".js"))}`;
}

test("the gallery of every kind of row is only served when enabled", async () => {
  expect((await fetch(`${server.url}/gallery`)).status).toBe(404);
});

/** Sends every set of headers to every target; returns the responses that are not as expected. */
async function wrongAnswers(headerSets: string[][], isRight: (answer: RawAnswer, target: string) => boolean) {
  const wrong: string[] = [];
  let sent = 0;
  for (const headers of headerSets) {
    for (const target of targets) {
      const answer = await rawRequest(port, get(target, headers));
      sent += 1;
      if (!isRight(answer, target)) wrong.push(`${target} ${headers.join(" · ")} → ${answer.status}`);
    }
  }
  return { wrong, sent };
}

const isRefused = ({ status, body, headers }: RawAnswer) =>
  (status === 403 && /"error":\{"code":"[a-z-]+"/.test(body) && headers["cache-control"] === "no-store") ||
  // Rejected by Node's parser, before any of our code.
  (status === 400 && body === "");

test("refuses every name that is not ours, on every kind of path", async () => {
  const hosts = hostileHosts(port).map((host) => [`Host: ${host}`, bearer]);
  const { wrong, sent } = await wrongAnswers(hosts, isRefused);
  expect(wrong).toEqual([]);
  expect(sent).toBeGreaterThanOrEqual(420);
});

test("answers to each of its own names, in any case", async () => {
  const hosts = ["127.0.0.1", "localhost", "[::1]", "LocalHost", "box.example"].map(
    (name) => `${name}:${port}`,
  );
  const names = [...hosts, "box.example", "tunnel.example:8443"].map((host) => [`Host: ${host}`, bearer]);
  const { wrong } = await wrongAnswers(
    names,
    ({ status }, target) => status === (target.includes("missing") ? 404 : 200),
  );
  expect(wrong).toEqual([]);
});

test("refuses requests that name two hosts, none, or one in the address", async () => {
  const answers = {
    two: await rawRequest(port, get("/", [own, "Host: evil.com"])),
    "two, ours last": await rawRequest(port, get("/", ["Host: evil.com", own])),
    "two equal": await rawRequest(port, get("/", [own, own])),
    "none in 1.0": await rawRequest(port, get("/", [], "1.0")),
    "none in 1.1": await rawRequest(port, get("/", [])),
    absolute: await rawRequest(port, get("http://evil.com/", [own])),
    "absolute, ours": await rawRequest(port, get(`http://127.0.0.1:${port}/api/health`, [own, bearer])),
    "double slash": await rawRequest(port, get("//evil.com/", [own])),
    backslash: await rawRequest(port, get("/\\evil.com", [own])),
    asterisk: await rawRequest(port, get("*", [own])),
    upgrade: await rawRequest(
      port,
      `GET /api/events HTTP/1.1\r\n${own}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    ),
    connect: await rawRequest(port, `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${own}\r\n\r\n`),
  };
  expect(Object.entries(answers).map(([name, { status }]) => `${name}: ${status}`)).toEqual([
    "two: 403",
    "two, ours last: 403",
    "two equal: 403",
    "none in 1.0: 403",
    "none in 1.1: 400",
    "absolute: 400",
    "absolute, ours: 400",
    "double slash: 400",
    "backslash: 400",
    "asterisk: 400",
    "upgrade: 403",
    "connect: 405",
  ]);
});

test("refuses every foreign origin, on every kind of path", async () => {
  const origins = [
    "http://evil.com",
    "https://evil.com",
    "null",
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
    "http://127.0.0.1",
    `http://127.0.0.1:${port + 1}`,
    `http://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}.evil.com`,
    `HTTP://127.0.0.1:${port}`,
    `http://evil@127.0.0.1:${port}`,
    "chrome-extension://abcdefghijklmnop",
    "file://",
    "http://box.example",
    "",
  ];
  const { wrong } = await wrongAnswers(
    origins.map((origin) => [own, bearer, `Origin: ${origin}`]),
    isRefused,
  );
  expect(wrong).toEqual([]);
});

test("accepts its own origin, and that of a TLS proxy for an allowed name", async () => {
  const own200 = [
    [own, bearer, `Origin: http://127.0.0.1:${port}`],
    [`Host: localhost:${port}`, bearer, `Origin: http://localhost:${port}`],
    ["Host: box.example", bearer, "Origin: https://box.example"],
  ];
  const statuses = await Promise.all(
    own200.map((headers) => rawRequest(port, get("/api/health", headers)).then(({ status }) => status)),
  );
  expect(statuses).toEqual([200, 200, 200]);
});

test("accepts API calls from its own page only, and links to pages from anywhere", async () => {
  const sites = ["cross-site", "same-site", "none", "same-origin", "bogus"];
  const answers: string[] = [];
  for (const site of sites) {
    const headers = [own, bearer, `Sec-Fetch-Site: ${site}`, "Sec-Fetch-Mode: cors"];
    const api = await rawRequest(port, get("/api/health", headers));
    const page = await rawRequest(port, get("/", [...headers.slice(0, 3), "Sec-Fetch-Mode: navigate"]));
    answers.push(`${site}: API ${api.status}, page ${page.status}`);
  }
  expect(answers).toEqual([
    "cross-site: API 403, page 200",
    "same-site: API 403, page 200",
    "none: API 403, page 200",
    "same-origin: API 200, page 200",
    "bogus: API 403, page 200",
  ]);
});

test("requires the token on every call, and never reveals it", async () => {
  const { token } = server;
  const wrongTokens = [
    null,
    "Authorization: Bearer ",
    "Authorization: Bearer x",
    `Authorization: Bearer ${token.slice(0, -1)}`,
    `Authorization: Bearer ${token}x`,
    `Authorization: Bearer ${token.toLowerCase()}`,
    `Authorization: Basic ${token}`,
    `Authorization: ${token}`,
    `Cookie: token=${token}`,
  ];
  for (const header of wrongTokens) {
    const headers = header === null ? [own] : [own, header];
    for (const target of ["/api/health", "/api/projects", "/api/sessions", `/api/health?token=${token}`]) {
      const answer = await rawRequest(port, get(target, headers));
      expect(`${target} ${header}: ${answer.status}`).toBe(`${target} ${header}: 401`);
      expect(answer.body).not.toContain(token);
    }
  }
  const page = await rawRequest(port, get("/", [own, bearer]));
  expect(page.body).not.toContain(token);
  expect(server.errors()).not.toContain(token);
});

test("blocks what the app does not use: preflights, actions, the image optimiser, headers for Next", async () => {
  const send = async (method: string, target: string, ...headers: string[]) =>
    (await rawRequest(port, get(target, [own, ...headers]).replace("GET", method))).status;
  expect(await send("OPTIONS", "/api/health", "Access-Control-Request-Method: GET")).toBe(403);
  expect(await send("OPTIONS", "/", "Access-Control-Request-Method: POST")).toBe(403);
  expect(await send("POST", "/", "Next-Action: 0123", "Content-Length: 0")).toBe(405);
  expect(await send("GET", "/", "Next-Action: 0123")).toBe(404);
  expect(await send("GET", "/_next/image?url=%2Fx.png&w=64&q=75")).toBe(404);
  expect(await send("GET", "/_next/image/")).not.toBe(200);
  expect(await send("PUT", "/sessions/x", "Content-Length: 0")).toBe(405);
  // Next redirects what looks like a navigation of its own router.
  expect(await send("GET", "/api/health", bearer, "RSC: 1")).toBe(200);
  expect(await send("GET", "/api/health", "RSC: 1", "Next-Router-Prefetch: 1")).toBe(401);
  // CVE-2025-29927: the header that made Next skip its proxy.
  const skipping = "x-middleware-subrequest: proxy:proxy:proxy:proxy:proxy";
  expect((await rawRequest(port, get("/", ["Host: evil.com", skipping]))).status).toBe(403);
  expect((await rawRequest(port, get("/", ["Host: evil.com", `X-Forwarded-${own}`]))).status).toBe(403);
});

test("sends the isolating security headers with every response", async () => {
  const nonces = new Set<string>();
  for (const target of [...targets, "/"]) {
    const { headers, body } = await rawRequest(port, get(target, [own, bearer]));
    const policy = headers["content-security-policy"] ?? "";
    const nonce = /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1] ?? "";
    nonces.add(nonce);
    expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(policy).not.toContain("unsafe");
    expect(headers).toMatchObject({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("x-powered-by");
    const isFile = target === targets[2];
    expect(headers["cache-control"]).toContain(isFile ? "immutable" : "no-store");
    if (!target.startsWith("/_next") && !target.startsWith("/api")) {
      const scripts = body.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
    }
  }
  expect(nonces.size).toBe(targets.length + 1);
});

test("answers an unsupported method with the supported ones, and never fails", async () => {
  for (const method of ["TRACE", "PROPFIND", "PURGE", "M-SEARCH", "LOCK", "DELETE", "PATCH"]) {
    for (const target of targets) {
      const answer = await rawRequest(port, get(target, [own, bearer]).replace("GET", method));
      expect(`${method} ${target}: ${answer.status} ${answer.headers.allow}`).toBe(
        `${method} ${target}: 405 GET, HEAD`,
      );
    }
  }
  const tickets = await rawRequest(port, get("/api/tickets", [own, bearer]));
  expect(`${tickets.status} ${tickets.headers.allow}`).toBe("405 POST");
  expect(server.errors()).toBe("");
});

test("accepts a body only where a route takes one, in one chunk or in several", async () => {
  const head = [
    "POST /api/tickets HTTP/1.1",
    own,
    bearer,
    "Content-Type: application/json",
    "Connection: close",
  ];
  const body = '{"path":"/api/sessions/x/export?format=md"}';
  const whole = [...head, `Content-Length: ${body.length}`, "", body].join("\r\n");
  const pieces = [
    ...head,
    "Transfer-Encoding: chunked",
    "",
    body.length.toString(16),
    body,
    "0",
    "",
    "",
  ].join("\r\n");
  for (const request of [whole, pieces]) {
    const answer = await rawRequest(port, request);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"ticket"');
  }
});

const megabytes = () => (memoryOf(server.process.pid ?? 0)?.now ?? Number.NaN) / 2 ** 20;

/** Opens connections that each send these bytes and then stall; counts those that the server has closed. */
function stall(connections: number, head: string, body: Buffer | string) {
  const counts = { answered: 0, ended: 0 };
  for (let n = 0; n < connections; n++) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.once("data", () => {
      counts.answered += 1;
    });
    socket.on("error", () => undefined);
    // The server closed its side; this side stays open unless it was reset.
    const ended = new Promise((resolve) => socket.once("end", resolve).once("close", resolve));
    void ended.then(() => {
      counts.ended += 1;
    });
    socket.write(head);
    if (body.length > 0) socket.write(body);
  }
  return counts;
}

test("buffers no unrequested body, and disconnects stalled clients", async () => {
  test.skip(process.platform !== "linux", "reads memory from /proc");
  const before = megabytes();
  const foreign = `POST /api/health HTTP/1.1\r\n${own}\r\nOrigin: http://evil.com\r\nContent-Length: 24000000\r\n\r\n`;
  const bodies = stall(100, foreign, Buffer.alloc(12_000_000));
  await expect.poll(() => bodies.ended).toBe(100);
  // If bodies were buffered until complete, it would be 1,000 MB more.
  expect(megabytes() - before).toBeLessThan(200);
  expect(bodies.answered).toBe(100);

  const slow = [
    stall(250, `GET /api/health HTTP/1.1\r\n${own}\r\nX-Slow: `, "x".repeat(4000)),
    stall(
      250,
      `POST /api/tickets HTTP/1.1\r\n${own}\r\n${bearer}\r\nContent-Length: 60000\r\n\r\n`,
      "x".repeat(50_000),
    ),
    stall(250, "", ""),
  ];
  await expect.poll(() => slow.map(({ ended }) => ended).join()).toBe("250,250,250");
  expect(megabytes() - before).toBeLessThan(200);
  expect((await rawRequest(port, get("/api/health", [own, bearer]))).status).toBe(200);
  expect(server.errors()).toBe("");
});
