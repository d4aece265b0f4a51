// @vitest-environment page
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api-error";
import { getJson } from "./json";
import { noteAnswer } from "./known-server";
import { withQuery } from "./send";
import { currentToken, setToken } from "./token";

beforeEach(noteAnswer);

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

test("queries leave out what is not set", () => {
  expect(withQuery("/a", { x: undefined, y: null, z: false, e: "", one: true, n: 0 })).toBe("/a?one=1&n=0");
});
