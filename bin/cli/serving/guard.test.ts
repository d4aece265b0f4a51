import http from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type PublishedGate, publishGate } from "@/lib/server/http/publish-gate";
import { guardNextServer } from "./guard.mjs";

const TOKEN = "0123456789abcdef-0123";
let server: http.Server;
let own: string;
/** What came past the guard, with the body that could be read there. */
let passed: string[];
let open: Socket[];

beforeEach(() => start());

async function start(basePath = "") {
  passed = [];
  open = [];
  guardNextServer((made) => {
    server = made;
  }, basePath);
  http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      const state = String(request.headers["next-router-state-tree"] ?? "");
      passed.push(
        `${request.method} ${request.url} ${body.length > 100 ? `${body.length} bytes` : body}${state}`.trim(),
      );
      if (request.url !== "/stalled") response.end("passed");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  own = `Host: 127.0.0.1:${port}`;
  vi.stubEnv("BACKSCROLL_PORT", String(port));
  vi.stubEnv("BACKSCROLL_TOKEN", TOKEN);
  publishGate();
}
afterEach(stop);

async function stop() {
  for (const socket of open) socket.destroy();
  vi.unstubAllEnvs();
  await new Promise((resolve) => server.close(resolve));
}

/** Sends bytes and never ends its side; resolves to the statuses that came when the server has ended its own. */
function send(...parts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    open.push(socket);
    let text = "";
    socket.setEncoding("latin1").on("data", (piece) => {
      text += piece;
    });
    socket.on("error", reject);
    socket.on("end", () =>
      resolve((text.match(/HTTP\/1.1 \d+|"code":"[a-z-]+"|^allow: .*/gim) ?? []).join(" ")),
    );
    for (const part of parts) socket.write(part);
  });
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, own, ...headers, "", ""].join("\r\n");
const bearer = `Authorization: Bearer ${TOKEN}`;
const TICKETS = "POST /api/tickets";
const close = "Connection: close";

test("refuses on the headers, and ends the connection while the body is still being sent", async () => {
  const part = "x".repeat(1 << 20);
  const stalled = "Content-Length: 12000000";
  expect(await send(head("POST /api/health", "Origin: http://evil.com", stalled), part)).toBe(
    'HTTP/1.1 403 "code":"origin-not-allowed"',
  );
  expect(await send(head(TICKETS, stalled), part)).toBe('HTTP/1.1 401 "code":"unauthorised"');
  expect(await send(head(TICKETS, bearer, stalled), part)).toBe('HTTP/1.1 413 "code":"body-too-large"');
  expect(await send(head("GET /api/health", bearer, stalled), part)).toBe(
    'HTTP/1.1 413 "code":"body-not-taken"',
  );
  expect(await send(head("GET /", "Transfer-Encoding: chunked"), `1\r\nx\r\n`)).toBe(
    'HTTP/1.1 413 "code":"body-not-taken"',
  );
  expect(await send(head(TICKETS, "Expect: 100-continue", stalled))).toBe(
    'HTTP/1.1 401 "code":"unauthorised"',
  );
  expect(passed).toEqual([]);
});

test("hands a body on when it is whole, also one whose length was not given", async () => {
  expect(await send(head(TICKETS, bearer, close, "Content-Length: 7"), '{"a":', "1}")).toBe("HTTP/1.1 200");
  const chunked = head(TICKETS, bearer, close, "Transfer-Encoding: chunked");
  expect(await send(chunked, '3\r\n{"b\r\n', '4\r\n":1}\r\n0\r\n\r\n')).toBe("HTTP/1.1 200");
  expect(await send(head(TICKETS, bearer, close, "Content-Length: 65536"), "x".repeat(65_536))).toBe(
    "HTTP/1.1 200",
  );
  const waiting = head(TICKETS, bearer, close, "Expect: 100-continue", "Content-Length: 2");
  expect(await send(waiting, "{}")).toBe("HTTP/1.1 100 HTTP/1.1 200");
  expect(passed).toEqual([
    'POST /api/tickets {"a":1}',
    'POST /api/tickets {"b":1}',
    "POST /api/tickets 65536 bytes",
    "POST /api/tickets {}",
  ]);
});

test("counts a body whose length was not given", async () => {
  const chunk = `${(40_000).toString(16)}\r\n${"x".repeat(40_000)}\r\n`;
  expect(await send(head(TICKETS, bearer, "Transfer-Encoding: chunked"), chunk, chunk)).toBe(
    'HTTP/1.1 413 "code":"body-too-large"',
  );
  expect(passed).toEqual([]);
});

test("keeps a connection on which two bodies are sent, and answers nothing after a refusal", async () => {
  const body = head(TICKETS, bearer, "Content-Length: 2");
  expect(await send(`${body}{}${body}[]${head("GET /", close)}`)).toBe(
    "HTTP/1.1 200 HTTP/1.1 200 HTTP/1.1 200",
  );
  // Answers keep the order; a request without a body need not wait for those before it.
  expect(passed.sort()).toEqual(["GET /", "POST /api/tickets []", "POST /api/tickets {}"]);
  expect(await send(`${head("GET /1")}${head(TICKETS, "Content-Length: 2")}{}${head("GET /2")}`)).toBe(
    'HTTP/1.1 200 HTTP/1.1 401 "code":"unauthorised"',
  );
  expect(passed.slice(3)).toEqual(["GET /1"]);
});

test("serves below a base path alone, whose requests come without it", async () => {
  await stop();
  await start("/logs");
  const get = (path: string) => send(head(`GET ${path}`, close));
  for (const path of ["/logs", "/logs/", "/logs?q=1", "/logs/api/health?logs", "/logs/logs"])
    expect(`${path} ${await get(path)}`).toBe(`${path} HTTP/1.1 200`);
  expect(passed).toEqual(["GET /", "GET /", "GET /?q=1", "GET /api/health?logs", "GET /logs"]);
  const outside = 'HTTP/1.1 404 "code":"not-found"';
  for (const path of ["/", "/api/health", "/logsx", "/LOGS/", "/%6cogs/", "/x/logs/", "/?/logs/", "/.."])
    expect(`${path} ${await get(path)}`).toBe(`${path} ${outside}`);
  expect(await send(head("POST /api/tickets", bearer, "Content-Length: 2"), "{}")).toBe(outside);
  expect(await get("/logs//evil.com")).toBe('HTTP/1.1 400 "code":"bad-target"');
  expect(await send(`GET / HTTP/1.1\r\nHost: evil.com\r\n\r\n`)).toBe(
    'HTTP/1.1 403 "code":"host-not-allowed"',
  );
  expect(passed.length).toBe(5);
});

test("refuses a path that spells no text before Next would fail at it, and leaves a query alone", async () => {
  const refused = 'HTTP/1.1 400 "code":"bad-target"';
  for (const path of ["/sessions/%zz", "/api/sessions/%ED%A0%80", "/api/%ff", "/%", "/_next/static/%c3%28"])
    expect(`${path} ${await send(head(`GET ${path}`))}`).toBe(`${path} ${refused}`);
  expect(passed).toEqual([]);
  for (const path of ["/sessions/%C3%A4%20b", "/search?q=100%"])
    expect(`${path} ${await send(head(`GET ${path}`, close))}`).toBe(`${path} HTTP/1.1 200`);
  await stop();
  await start("/logs");
  expect(await send(head("GET /logs/sessions/%zz"))).toBe(refused);
  expect(passed).toEqual([]);
});

test("passes on no state of Next's router at which Next would fail", async () => {
  const state = encodeURIComponent(JSON.stringify(["", { children: ["__PAGE__", {}] }]));
  for (const [given, got] of [
    [state, ` ${state}`],
    ["%", ""],
    ["[".repeat(50_000), ""],
  ]) {
    await send(head("GET /", "RSC: 1", `Next-Router-State-Tree: ${given}`, close));
    expect(passed.pop()).toBe(`GET /${got}`);
  }
});

test("takes addresses that name as many sessions as an export may hold", async () => {
  const sessions = Array.from(
    { length: 500 },
    (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  );
  const path = `/api/export?format=md&sessions=${sessions.join(",")}`;
  expect(await send(head(`GET ${path}`, bearer, close))).toBe("HTTP/1.1 200");
  expect(passed).toEqual([`GET ${path}`]);
});

test("ends a request that stalls, in its headers or in its body, and one that is never begun", async () => {
  expect(server.headersTimeout).toBe(10_000);
  server.headersTimeout = 200;
  server.requestTimeout = 200;
  const answers = [send("GET / HT"), send(head(TICKETS, bearer, "Content-Length: 2"), "{"), send("")];
  expect(await Promise.all(answers)).toEqual(["HTTP/1.1 408", "HTTP/1.1 408", "HTTP/1.1 408"]);
  expect(passed).toEqual([]);
});

test("lets new clients in where a thousand connections are held open, silent or in a request, but ends none of the owner's", async () => {
  const { port } = server.address() as AddressInfo;
  const hold = async (count: number, text: string) => {
    const held = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1" }));
    for (const socket of held) socket.on("error", () => undefined).write(text);
    open.push(...held);
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    return held;
  };
  const stalled = head("GET /stalled");
  const owners = await hold(5, head("GET /stalled", bearer));
  await expect.poll(() => passed.length).toBe(5);
  for (const text of ["", "GET / HT", stalled]) {
    await hold(1_000, text);
    expect(await send(head("GET /", close)), text).toBe("HTTP/1.1 200");
  }
  await expect.poll(() => openConnections()).toBeLessThanOrEqual(1_000);
  // One that has been answered waits again, and others come before it.
  expect(await send(head("GET /", bearer, close))).toBe("HTTP/1.1 200");
  expect(owners.filter(({ closed }) => closed)).toEqual([]);
});

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

test("refuses methods that no address takes, tunnels and upgrades, and names those that it takes", async () => {
  const refused = 'HTTP/1.1 405 allow: GET, HEAD "code":"method-not-allowed"';
  for (const method of ["TRACE", "PROPFIND", "PURGE", "M-SEARCH", "DELETE", "PUT"]) {
    for (const target of ["/", "/api/health", "/_next/static/a.js", "/missing"])
      expect(`${method} ${await send(head(`${method} ${target}`))}`).toBe(`${method} ${refused}`);
  }
  expect(await send(head("GET /api/tickets"))).toBe('HTTP/1.1 405 allow: POST "code":"method-not-allowed"');
  expect(await send(head(`CONNECT 127.0.0.1:1`))).toBe("HTTP/1.1 405 allow: GET, HEAD");
  expect(await send(head("GET /", "Connection: Upgrade", "Upgrade: websocket"))).toBe("HTTP/1.1 403");
  expect(passed).toEqual([]);
});

test("gives up a refused client that neither ends nor stops sending", async () => {
  const { port } = server.address() as AddressInfo;
  for (const first of [head("POST /", "Content-Length: 99999999"), head("CONNECT 127.0.0.1:1")]) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    open.push(socket);
    socket.resume().write(first);
    const sending = setInterval(() => socket.write("x".repeat(1000)), 20);
    await new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
    clearInterval(sending);
  }
  expect(passed).toEqual([]);
});

test("sends files of the pages past Next, behind the same checks, and not below a path, where Next's answers are changed", async () => {
  const name = "/_next/static/chunks/a.js";
  const asked: string[] = [];
  const publish = () => {
    const gate = Reflect.get(globalThis, Symbol.for("backscroll.gate")) as PublishedGate;
    gate.staticFile = (method, url) => {
      asked.push(`${method} ${url}`);
      return url === name ? { headers: { allow: "here" }, body: Buffer.from("a") } : null;
    };
  };
  publish();
  expect(await send(head(`GET ${name}`, close))).toBe("HTTP/1.1 200 allow: here");
  expect(await send(head("GET /", close))).toBe("HTTP/1.1 200");
  own = "Host: example.org";
  expect(await send(head(`GET ${name}`))).toBe('HTTP/1.1 403 "code":"host-not-allowed"');
  expect([asked, passed]).toEqual([[`GET ${name}`, "GET /"], ["GET /"]]);
  await stop();
  await start("/logs");
  publish();
  expect(await send(head(`GET /logs${name}`, close))).toBe("HTTP/1.1 200");
  expect([asked.length, passed]).toEqual([2, [`GET ${name}`]]);
});

test("while Next is loading, lets through what only reads, and reads no body", async () => {
  Reflect.deleteProperty(globalThis, Symbol.for("backscroll.gate"));
  expect(await send(head("GET /api/health", close))).toBe("HTTP/1.1 200");
  for (const request of [
    head(TICKETS, bearer, "Content-Length: 2"),
    head("GET /", "Content-Length: 2"),
    head("TRACE /"),
  ])
    expect(await send(request)).toBe('HTTP/1.1 503 "code":"starting"');
  expect(passed).toEqual(["GET /api/health"]);
});
