// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { api } from "./api";
import { noteAnswer } from "./connection/known-server";
import { currentToken, setToken } from "./connection/token";

beforeEach(noteAnswer);
afterEach(() => vi.unstubAllGlobals());

it("what changes something is sent with the token, and refused like anything else", async () => {
  const token = "aaaaaaaaaaaaaaaaaaaa";
  setToken(token);
  const created = { id: "a", token: "share~1", path: "/sessions/y", expiresAtMs: 1 };
  const refusal = { error: { code: "unauthorized", message: "No.", hint: "" } };
  const answers = [
    Response.json(created),
    new Response(null, { status: 204 }),
    Response.json(refusal, { status: 401 }),
  ];
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => answers.shift() ?? Response.error());
  vi.stubGlobal("fetch", fetched);
  const sessionId = "s1" as SessionId;
  expect(await api.createShare({ sessionId, place: "?at=m~1" })).toEqual(created);
  await api.revokeShare("a/b");
  await expect(api.revokeShare("a")).rejects.toMatchObject({ status: 401 });
  expect(currentToken()).toBeNull();
  const sent = fetched.mock.calls.map(([url, { method, body }]) => [method, url, body]);
  expect(sent).toEqual([
    ["POST", "/api/shares", JSON.stringify({ sessionId, place: "?at=m~1" })],
    ["DELETE", "/api/shares/a%2Fb", null],
    ["DELETE", "/api/shares/a", null],
  ]);
  expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: `Bearer ${token}` });
});

it("what a page says as it goes is sent before it has gone: nothing is awaited", () => {
  setToken("aaaaaaaaaaaaaaaaaaaa");
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => Response.json({}));
  vi.stubGlobal("fetch", fetched);
  void api.presence({ kind: "leave", window: "0123456789ab", kept: false });
  expect(fetched.mock.calls.map(([url, { method, keepalive }]) => [method, url, keepalive])).toEqual([
    ["PUT", "/api/presence", true],
  ]);
});

it("usage and sessions are asked for by the days of this browser, which may be elsewhere than the server", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(new URL(url, "http://127.0.0.1").searchParams.get("zone") ?? "");
    return Response.json({});
  });
  await api.usage({ by: "day" });
  await api.usageMisses({});
  await api.sessions({ q: "after:today" });
  expect(asked).toEqual(Array(3).fill(Intl.DateTimeFormat().resolvedOptions().timeZone));
});
