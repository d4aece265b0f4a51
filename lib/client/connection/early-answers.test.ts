// @vitest-environment page
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getJson } from "./json";
import { noteAnswer } from "./known-server";
import { rejectToken, setToken } from "./token";

const TOKEN = "the-token-of-the-owner-1";
const URL = "/api/sessions/a/rows?count=80";
const fetched = vi.fn(async (_url: string, _request: RequestInit) => Response.json("asked by the page"));

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
  fetched.mockClear();
  noteAnswer();
  setToken(TOKEN);
});
afterEach(() => {
  vi.unstubAllGlobals();
  rejectToken(TOKEN);
  localStorage.clear();
  noteAnswer();
  delete window.backscrollEarly;
});

function askedEarly(answer: Promise<Response>, { token = TOKEN, ageMs = 0 } = {}) {
  answer.catch(() => undefined);
  const askedAtMs = performance.now() - ageMs;
  window.backscrollEarly = [{ url: URL, authorization: `Bearer ${token}`, askedAtMs, response: answer }];
}

it("takes what was asked for early once, and asks for it from then on", async () => {
  askedEarly(Promise.resolve(Response.json("early")));
  expect(await getJson("/api/sessions/a/rows", { query: { count: 80 } })).toBe("early");
  expect(fetched).not.toHaveBeenCalled();
  expect(await getJson(URL)).toBe("asked by the page");
});

it("asks for what was asked for otherwise, for another reader, or too long ago", async () => {
  askedEarly(Promise.resolve(Response.json("early")));
  expect(await getJson("/api/sessions/a/rows?count=40")).toBe("asked by the page");
  askedEarly(Promise.resolve(Response.json("early")), { token: "the-token-of-another-one" });
  expect(await getJson(URL)).toBe("asked by the page");
  askedEarly(Promise.resolve(Response.json("early")), { ageMs: 60_000 });
  expect(await getJson(URL)).toBe("asked by the page");
});

it("is refused, fails and is given up as if the page had asked itself", async () => {
  const refusal = { error: { code: "no-session", message: "Gone.", hint: "Look in the library." } };
  askedEarly(Promise.resolve(Response.json(refusal, { status: 404 })));
  await expect(getJson(URL)).rejects.toMatchObject({ status: 404, code: "no-session" });
  noteAnswer();
  askedEarly(Promise.reject(new TypeError("no answer")));
  await expect(getJson(URL)).rejects.toMatchObject({ status: 0, code: "unreachable" });
  noteAnswer();
  askedEarly(Promise.resolve(Response.json("early")));
  const given = new AbortController();
  const asked = getJson(URL, { signal: given.signal });
  given.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
});
