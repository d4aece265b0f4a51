// @vitest-environment page
import { createHmac } from "node:crypto";
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { provenText } from "@/lib/wire/proof.mjs";

const TOKEN = "the-token-of-the-owner-1";

/** What answers at the page's address, and what it was sent: tokens, and how often it was asked for a proof. */
let server: { token: string | null; isDown: boolean };
let seen: (string | null)[];

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ["performance"] });
  window.location.href = "http://127.0.0.1:4747/";
  localStorage.setItem("backscroll.token", TOKEN);
  server = { token: TOKEN, isDown: false };
  seen = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    if (server.isDown) throw new TypeError("no answer");
    const sent = new Headers(headers);
    const token = sent.get("authorization")?.replace("Bearer ", "") ?? null;
    seen.push(token);
    if (token !== null) return Response.json({}, { status: token === server.token ? 200 : 401 });
    if (server.token === null) return new Response("<h1>Another program</h1>");
    const text = provenText(sent.get("x-backscroll-challenge") ?? "", "127.0.0.1:4747");
    const proof = createHmac("sha256", server.token).update(text).digest("hex");
    return new Response(null, { status: 204, headers: { "x-backscroll-proof": proof } });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function page() {
  const { getJson } = await import("./json");
  const { useTokenState, currentToken } = await import("./token");
  const { drawnPage } = await import("@/lib/testing/drawn-page");
  const gate = { kind: "" };
  function Gate() {
    gate.kind = useTokenState().kind;
    return null;
  }
  const { createElement } = await import("react");
  await drawnPage().draw(createElement(Gate));
  const ask = () =>
    getJson("/api/sessions").then(
      () => "answered",
      ({ code }: { code: string }) => code,
    );
  return { ask, gate, currentToken };
}

it("sends its token to no other program that has taken the port of a server that has died", async () => {
  const { ask, gate } = await page();
  expect(await ask()).toBe("answered");
  server = { token: null, isDown: true };
  expect(await ask()).toBe("unreachable");
  server.isDown = false;
  seen = [];
  expect(await ask()).toBe("unreachable");
  expect(seen).toEqual([null]);
  // Its own server is there again: the page goes on.
  server.token = TOKEN;
  expect(await ask()).toBe("answered");
  expect(gate.kind).toBe("held");
});

it("asks who answers after a pause too, once for all that is asked for, and not while they answer", async () => {
  const { ask } = await page();
  await ask();
  await ask();
  expect(seen).toEqual([TOKEN, TOKEN]);
  vi.advanceTimersByTime(60_000);
  await Promise.all([ask(), ask()]);
  expect(seen.slice(2)).toEqual([null, TOKEN, TOKEN]);
  const { holdServer } = await import("./known-server");
  const leave = holdServer();
  vi.advanceTimersByTime(60_000);
  await ask();
  leave(true);
  await ask();
  expect(seen.slice(5)).toEqual([TOKEN, null, TOKEN]);
});

it("asks for the new token where its server has another one", async () => {
  const { ask, gate } = await page();
  await ask();
  server.token = "another-token-since-its-start";
  vi.advanceTimersByTime(60_000);
  seen = [];
  expect(await act(ask)).toBe("unauthorised");
  expect(seen).toEqual([null]);
  expect(gate.kind).toBe("rejected");
});

it("a server whose stream the page itself has ended is still there, one whose stream broke off may be gone", async () => {
  const { hasJustAnswered, holdServer, noteLoss } = await import("./known-server");
  noteLoss();
  const end = holdServer();
  expect(hasJustAnswered()).toBe(true);
  end(false);
  expect(hasJustAnswered()).toBe(true);
  holdServer()(true);
  expect(hasJustAnswered()).toBe(false);
});
