// @vitest-environment happy-dom
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { ApiError, api, EventReader, getJson, withQuery } from "./api";
import { noteAnswer } from "./known-server";
import { currentToken, setToken } from "./token";

beforeEach(noteAnswer);

describe("event reader", () => {
  const STREAM = [
    'event: hello\ndata: {"kind":"hello"}\n\n: ping\n\n',
    'id: e:12.0\r\nevent: rows\r\ndata: {"kind":"rows","rows":["\\n\\n"]}\r\n\r\n',
    'event: end\ndata:{"kind":"end",\ndata: "complete":true}\n\n',
  ].join("");

  const EVENTS = [
    { id: null, event: { kind: "hello" } },
    { id: "e:12.0", event: { kind: "rows", rows: ["\n\n"] } },
    { id: null, event: { kind: "end", complete: true } },
  ];

  describe("events from pieces", () => {
    it("are the same for any cut", () => {
      fc.assert(
        fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
          const reader = new EventReader<unknown>();
          const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
          const events = places.slice(1).flatMap((to, at) => reader.take(STREAM.slice(places[at], to)));
          expect(events).toEqual(EVENTS);
        }),
      );
    });

    it("end once, also where a piece ends between the two halves of a line's end", () => {
      for (let cut = 0; cut <= STREAM.length; cut++) {
        const reader = new EventReader<unknown>();
        const events = [...reader.take(STREAM.slice(0, cut)), ...reader.take(STREAM.slice(cut))];
        expect(events, `cut at ${cut}`).toEqual(EVENTS);
      }
    });
  });
});

describe("get json", () => {
  const TOKEN = "aaaaaaaaaaaaaaaaaaaa";

  function answer(...answers: (Response | Error)[]) {
    const fetched = vi.fn(async (_url: string, _init: RequestInit) => {
      const next = answers.shift();
      if (!next || next instanceof Error) throw next ?? new Error("asked too often");
      return next;
    });
    vi.stubGlobal("fetch", fetched);
    return fetched;
  }
  const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

  afterEach(() => vi.unstubAllGlobals());

  test("sends the token as a header and nothing else that could name us", async () => {
    setToken(TOKEN);
    const fetched = answer(json(200, { ok: 1 }));
    expect(await getJson("/api/sessions", { query: { q: "a b", limit: 2, cursor: null } })).toEqual({
      ok: 1,
    });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe("/api/sessions?q=a+b&limit=2");
    expect(init).toMatchObject({ headers: { Authorization: `Bearer ${TOKEN}` }, credentials: "omit" });
  });

  test("asks again while the session is scanned, and tells how far it is", async () => {
    answer(
      json(202, { scanning: { bytesDone: 1, bytesTotal: 9 } }),
      json(202, { scanning: { bytesDone: 8, bytesTotal: 9 } }),
      json(200, "there"),
    );
    const told: number[] = [];
    expect(await getJson("/api/x", { onScan: ({ bytesDone }) => told.push(bytesDone) })).toBe("there");
    expect(told).toEqual([1, 8]);
  });

  test("stops asking when the page no longer wants it", async () => {
    const fetched = answer(json(202, { scanning: { bytesDone: 1, bytesTotal: 9 } }));
    const abort = new AbortController();
    const asked = getJson("/api/x", { signal: abort.signal, onScan: () => abort.abort() });
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test("a refusal becomes an error with its hint; 401 takes the token away", async () => {
    setToken(TOKEN);
    answer(json(404, { error: { code: "no-session", message: "Gone.", hint: "Look in the library." } }));
    await expect(getJson("/api/x")).rejects.toMatchObject({
      status: 404,
      code: "no-session",
      hint: "Look in the library.",
    });
    expect(currentToken()).toBe(TOKEN);
    answer(json(401, { error: { code: "unauthorized", message: "No.", hint: "Open the link." } }));
    await expect(getJson("/api/x")).rejects.toBeInstanceOf(ApiError);
    expect(currentToken()).toBeNull();
  });

  test("a token that was kept by another tab meanwhile is tried instead of the one that is refused", async () => {
    setToken(TOKEN);
    // A page that the browser had put aside is told nothing of it.
    const kept = "bbbbbbbbbbbbbbbbbbbb";
    localStorage.setItem("backscroll.token", kept);
    const refused = () => json(401, { error: { code: "unauthorized", message: "No.", hint: "" } });
    const fetched = answer(refused(), json(200, "there"));
    expect(await getJson("/api/x")).toBe("there");
    expect(fetched.mock.calls[1]?.[1].headers).toMatchObject({ Authorization: `Bearer ${kept}` });
    answer(refused());
    await expect(getJson("/api/x")).rejects.toMatchObject({ status: 401 });
    expect(currentToken()).toBeNull();
  });

  test("an answer that is not ours, or none, still says something", async () => {
    answer(new Response("<html>", { status: 502 }), new TypeError("fetch failed"));
    await expect(getJson("/api/x")).rejects.toMatchObject({ status: 502, code: "http-502" });
    await expect(getJson("/api/x")).rejects.toMatchObject({ status: 0, code: "unreachable" });
  });

  test("what changes something is sent with the token, and refused like anything else", async () => {
    setToken(TOKEN);
    const created = { id: "a", token: "share~1", path: "/sessions/y", expiresAtMs: 1 };
    const fetched = answer(
      json(200, created),
      new Response(null, { status: 204 }),
      json(401, { error: { code: "unauthorized", message: "No.", hint: "" } }),
    );
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
    expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ Authorization: `Bearer ${TOKEN}` });
  });

  test("queries leave out what is not set", () => {
    expect(withQuery("/a", { x: undefined, y: null, z: false, e: "", one: true, n: 0 })).toBe("/a?one=1&n=0");
  });
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
