import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { methodsOf, ROUTES } from "@/lib/server/http/routes";
import { fixtureFolder } from "@/lib/testing/recorded";
import { sampleOf } from "@/lib/testing/runs";
import type { CreatedShare } from "@/lib/wire/shares";
import { hostileHosts } from "./support/hostile-hosts";
import { type RawAnswer, rawRequest } from "./support/raw-request";
import { startServer, type TestServer } from "./support/server";
import { test } from "./support/test";

/*
 * Every route against hosts, origins, methods and tokens. What is expected is told here anew, from the table of routes
 * alone: the server's own checks are not asked. In `npm test` each route meets every eighth host and every third token,
 * the next route those that follow, so that all are tried at several routes (gate.spec.ts tries every host on every kind
 * of path); a soak tries each with each.
 */

const SESSION = "6a3a7dca-825e-4181-b3c0-80650e2fa644";
const OTHER = "00000000-0000-4000-8000-0000000000ee";
const NOWHERE = "00000000-0000-4000-8000-00000000dead";
const ALL_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

let server: TestServer;
let folder: string;
let port = 0;
let own: CreatedShare;
/** Of the same session, for comments too. */
let commented: CreatedShare;
let revoked: CreatedShare;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-gate-"));
  cpSync(fixtureFolder("2.1.330"), folder, { recursive: true });
  const project = join(folder, "projects", "-home-dev-elsewhere");
  mkdirSync(project, { recursive: true });
  const line = { type: "user", uuid: "u1", sessionId: OTHER, timestamp: "2026-01-02T03:04:05.000Z" };
  const said = { ...line, message: { role: "user", content: "of no concern" } };
  writeFileSync(join(project, `${OTHER}.jsonl`), `${JSON.stringify(said)}\n`);
  server = await startServer({ claudeDirs: [folder] });
  port = Number(new URL(server.url).port);
  own = await share();
  commented = await share({ comments: true });
  revoked = await share();
  await fetch(`${server.url}/api/shares/${revoked.id}`, { method: "DELETE", headers: bearer(server.token) });
});

test.afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function share(more: object = {}): Promise<CreatedShare> {
  const headers = { ...bearer(server.token), "content-type": "application/json" };
  const body = JSON.stringify({ sessionId: SESSION, ...more });
  const answer = await fetch(`${server.url}/api/shares`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  return answer.json() as Promise<CreatedShare>;
}

const PARTS: Record<string, string> = { recordId: "m~0", n: "0", turn: "1", extraId: "0123456789ab" };
const QUERIES: Record<string, string> = {
  "/api/sessions/[id]/calls/[recordId]": "?block=0",
  "/api/sessions/[id]/blame": "?path=hello.py",
  "/api/sessions/[id]/export": "?format=md",
  "/api/sessions/[id]/file": "?path=hello.py",
  "/api/sessions/[id]/file-versions": "?path=hello.py",
  "/api/sessions/[id]/messages": "?at=m~0",
};

/** The route's address about a session. */
function addressOf(path: string, session: string): string {
  const address = path.replace("/sessions/[id]", `/sessions/${session}`);
  const query = path === "/api/annotations" ? `?session=${session}` : (QUERIES[path] ?? "");
  return address.replaceAll(/\[(\w+)\]/g, (_, part: string) => PARTS[part] ?? "x") + query;
}

type Ask = { target: string; method?: string; headers?: string[]; token?: string | null; host?: string };

function ask({ target, method = "GET", headers = [], token = server.token, host }: Ask): Promise<RawAnswer> {
  const lines = [`Host: ${host ?? `127.0.0.1:${port}`}`, ...headers];
  if (token !== null) lines.push(`Authorization: Bearer ${token}`);
  return rawRequest(
    port,
    [`${method} ${target} HTTP/1.1`, ...lines, "Connection: close", "", ""].join("\r\n"),
  );
}

/** Runs cases, some at a time, and returns what each says that is wrong. */
async function wrongOf<Case>(
  cases: readonly Case[],
  look: (one: Case) => Promise<string | null>,
): Promise<string[]> {
  const wrong: string[] = [];
  const waiting = [...cases];
  const work = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const said = await look(one);
      if (said !== null) wrong.push(said);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return wrong;
}

const isRefusal = ({ status, body }: RawAnswer, code: number) =>
  (status === code && (body === "" || /"error":\{"code":"[a-z-]+"/.test(body))) ||
  (status === 400 && body === "");

test("every route refuses every foreign host, with every method that it takes", async () => {
  const hosts = hostileHosts(port);
  const cases = ROUTES.flatMap(({ path, methods }, nth) =>
    sampleOf(hosts, 8, nth).flatMap((host) =>
      methods.map((method) => ({ target: addressOf(path, SESSION), method, host })),
    ),
  );
  expect(new Set(cases.map(({ host }) => host)).size).toBe(new Set(hosts).size);
  expect(cases.length).toBeGreaterThan(6 * ROUTES.length);
  const wrong = await wrongOf(cases, async (one) => {
    const answer = await ask(one);
    return isRefusal(answer, 403) ? null : `${one.method} ${one.target} at ${one.host}: ${answer.status}`;
  });
  expect(wrong).toEqual([]);
});

test("every route refuses every foreign origin and site, whoever asks", async () => {
  const foreign = [
    "Origin: http://evil.com",
    "Origin: null",
    `Origin: https://127.0.0.1:${port}`,
    `Origin: http://localhost:${port}`,
    `Origin: http://127.0.0.1:${port + 1}`,
    `Origin: http://127.0.0.1:${port}.evil.com`,
    "Origin: ",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: same-site",
    "Sec-Fetch-Site: none",
    "Sec-Fetch-Site: bogus",
  ];
  const cases = ROUTES.flatMap(({ path, methods }) =>
    foreign.flatMap((header) =>
      methods.flatMap((method) =>
        [server.token, own.token].map((token) => ({
          target: addressOf(path, SESSION),
          ...{ method, token, headers: [header] },
        })),
      ),
    ),
  );
  expect(cases.length).toBeGreaterThan(1_200);
  const wrong = await wrongOf(cases, async (one) => {
    const answer = await ask(one);
    return isRefusal(answer, 403) ? null : `${one.method} ${one.target}, ${one.headers[0]}: ${answer.status}`;
  });
  expect(wrong).toEqual([]);
});

test("every route takes the methods in its table, and no other", async () => {
  const cases = [...ROUTES.map(({ path }) => path), "/api/nothing", "/", "/sessions/x"].flatMap((path) =>
    ALL_METHODS.filter((method) => !methodsOf(path.replaceAll(/\[\w+\]/g, "x")).includes(method)).map(
      (method) => ({
        target: addressOf(path, SESSION),
        method,
      }),
    ),
  );
  const wrong = await wrongOf(cases, async (one) => {
    const answer = await ask(one);
    return isRefusal(answer, one.method === "OPTIONS" ? 403 : 405)
      ? null
      : `${one.method} ${one.target}: ${answer.status}`;
  });
  expect(wrong).toEqual([]);
});

test("nobody is answered without a token that is good", async () => {
  const tokens = [
    "",
    "wrong-token-0123456789",
    `${server.token}x`,
    server.token.slice(0, -1),
    server.token.toUpperCase(),
    "share~",
    "share~invented-0123456789",
    `${own.token}x`,
    own.token.slice(0, -1),
    own.token.replace("share~", ""),
    revoked.token,
    own.id,
  ];
  const cases = ROUTES.flatMap(({ path, methods }, nth) =>
    methods.flatMap((method) =>
      [null, ...sampleOf(tokens, 3, nth)].map((token) => ({
        target: addressOf(path, SESSION),
        ...{ method, token },
      })),
    ),
  );
  expect(new Set(cases.map(({ token }) => token)).size).toBe(tokens.length + 1);
  expect(cases.length).toBeGreaterThan(4 * ROUTES.length);
  const wrong = await wrongOf(cases, async (one) => {
    const answer = await ask(one);
    return isRefusal(answer, 401) ? null : `${one.method} ${one.target} with ${one.token}: ${answer.status}`;
  });
  expect(wrong).toEqual([]);
});

for (const mayComment of [false, true])
  test(`for a guest who may ${mayComment ? "" : "not "}comment there is the session that was shared, and nothing else`, () =>
    expectOneSession(mayComment));

async function expectOneSession(mayComment: boolean): Promise<void> {
  const { token } = mayComment ? commented : own;
  const reading = ROUTES.flatMap((route) =>
    route.methods.filter((method) => method !== "HEAD").map((method) => ({ ...route, method })),
  );
  const wrong = await wrongOf(reading, async ({ path, method, guests, ofComments }) => {
    // A stream does not end by itself.
    if (path === "/api/events") return null;
    const about = (session: string) => ask({ target: addressOf(path, session), method, token });
    const [mine, others, nobodys] = [await about(SESSION), await about(OTHER), await about(NOWHERE)];
    const named = `${method} ${path}`;
    if (!guests.includes(method) || (ofComments && !mayComment)) {
      const isGone = [mine, others, nobodys].every(
        ({ status, body }) => status === 404 && body === mine.body,
      );
      return isGone && mine.body.includes("no-such-endpoint") ? null : `${named}: ${mine.status}`;
    }
    if (mine.status === 401 || mine.status === 403 || mine.body.includes("no-such-endpoint"))
      return `${named}: ${mine.status}`;
    if (!path.includes("/sessions/[id]") && path !== "/api/annotations") return null;
    // Only what is asked for names a session there.
    if (method !== "GET") return null;
    // What there is and what there is not are told apart by nothing.
    const isSame = others.status === nobodys.status && others.body === nobodys.body;
    return isSame && others.status >= 400 && others.body !== mine.body
      ? null
      : `${named} of another: ${others.status}`;
  });
  expect(wrong).toEqual([]);
}

test("a guest is given no ticket for the owner's token", async () => {
  const issued = await fetch(`${server.url}/api/tickets`, {
    method: "POST",
    headers: { ...bearer(own.token), "content-type": "application/json" },
    body: JSON.stringify({ path: "/api/token" }),
  });
  const body = await issued.text();
  expect(`${issued.status} ${body}`).toMatch(/^404 .*no-such-endpoint/);
  expect(body).not.toContain(server.token);
});

test("the owner is refused nothing", async () => {
  const wrong = await wrongOf(
    ROUTES.filter(({ path, methods }) => methods.includes("GET") && path !== "/api/events"),
    async ({ path }) => {
      const { status, body } = await ask({ target: addressOf(path, SESSION) });
      return [401, 403, 405].includes(status) || body.includes("no-such-endpoint")
        ? `${path}: ${status}`
        : null;
    },
  );
  expect(wrong).toEqual([]);
});

test("a stream of a guest ends when the link is taken back, within a second", async () => {
  const { id, token } = await share();
  const stream = await fetch(`${server.url}/api/events?session=${SESSION}`, { headers: bearer(token) });
  const reader = stream.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  const refused = await fetch(`${server.url}/api/events?session=${OTHER}`, { headers: bearer(token) });
  expect(refused.status).toBe(404);
  const listed = await fetch(`${server.url}/api/shares`, { headers: bearer(server.token) });
  const { shares } = (await listed.json()) as { shares: { id: string; readers: number }[] };
  expect(shares.find((one) => one.id === id)?.readers).toBe(1);
  await fetch(`${server.url}/api/shares/${id}`, { method: "DELETE", headers: bearer(server.token) });
  // However it ends; until then it only says that it lives.
  const ended = async () => {
    for (;;) if ((await reader?.read())?.done !== false) return;
  };
  await ended().catch(() => undefined);
  const after = await fetch(`${server.url}/api/health`, { headers: bearer(token) });
  expect([after.status, ((await after.json()) as { error: { code: string } }).error.code]).toEqual([
    401,
    "share-ended",
  ]);
});
