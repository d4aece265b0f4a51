// @vitest-environment page
import { beforeEach, expect, test, vi } from "vitest";
import { failOnConsoleErrors } from "@/lib/testing/console-errors";

const TOKEN = "a1B2-c3_D4.e5~F6g7";
const SHARE = "share~a1B2-c3_D4.e5~F6g7";
const OTHER = "zzzzzzzzzzzzzzzzzzzz";

/** The module keeps the page's one token, so each test is a page of its own. */
async function openPage(address: string) {
  vi.resetModules();
  window.history.replaceState({ kept: 1 }, "", address);
  return import("./token");
}

beforeEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

test.each([
  [`http://127.0.0.1:4747/#t=${TOKEN}`, TOKEN],
  [`  Backscroll is ready at http://127.0.0.1:4747/sessions/x?at=m~1#t=${TOKEN}\n`, TOKEN],
  [`#row=3&t=${TOKEN}&x=1`, TOKEN],
  [TOKEN, TOKEN],
  ["#t=short", null],
  ["not a token at all", null],
  [`http://127.0.0.1:4747/?t=${TOKEN}`, null],
  ["", null],
])("from %j comes %j", async (pasted, token) => {
  const { parseToken } = await openPage("/");
  expect(parseToken(pasted)).toBe(token);
});

test("the token leaves the address, the rest of it stays, and so does the history's state", async () => {
  const page = await openPage(`/sessions/x?at=m~1k9#L12&t=${TOKEN}`);
  await page.takeTokenFromAddress();
  expect(window.location.href).toMatch(/\/sessions\/x\?at=m~1k9#L12$/);
  expect(window.history.state).toEqual({ kept: 1 });
  expect(page.currentToken()).toBe(TOKEN);
  expect(localStorage.getItem("backscroll.token")).toBe(TOKEN);
  expect(document.cookie).toBe("");
});

test("a guest's browser has a secret for each link, until that has ended; the owner has none", async () => {
  const first = await openPage(`/sessions/x#t=${SHARE}`);
  await first.takeTokenFromAddress();
  const secret = first.writerSecret();
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(first.writerSecret()).toBe(secret);
  // With the browser is kept what tells links apart, never the token that opens one.
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain(SHARE);
  sessionStorage.clear();
  const again = await openPage(`/sessions/x#t=${SHARE}`);
  await again.takeTokenFromAddress();
  expect(again.writerSecret()).toBe(secret);
  sessionStorage.clear();
  const other = await openPage(`/sessions/x#t=share~zz${SHARE.slice(6)}`);
  await other.takeTokenFromAddress();
  expect(other.writerSecret()).not.toBe(secret);
  sessionStorage.clear();
  const ended = await openPage(`/sessions/x#t=${SHARE}`);
  await ended.takeTokenFromAddress();
  ended.rejectToken("share~some-other-token-of-a-share");
  ended.rejectToken(SHARE);
  expect(Object.values(localStorage)).not.toContain(secret);
  sessionStorage.clear();
  const owner = await openPage(`/#t=${TOKEN}`);
  await owner.takeTokenFromAddress();
  expect(owner.writerSecret()).toBeNull();
});

test("a token that cannot be one leaves the address too, and is not kept", async () => {
  const page = await openPage("/#t=short");
  await page.takeTokenFromAddress();
  expect(window.location.hash).toBe("");
  expect(localStorage.getItem("backscroll.token")).toBeNull();
});

test("a ticket leaves the address at once, and the token that it brings is kept", async () => {
  localStorage.setItem("backscroll.token", OTHER);
  const page = await openPage("/sessions/x?at=m~1#L12&ticket=a_B-1");
  let answer: (response: Response) => void = () => {};
  const asked = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)));
  vi.stubGlobal("fetch", asked);
  const taken = page.takeTokenFromAddress();
  expect(window.location.href).toMatch(/\/sessions\/x\?at=m~1#L12$/);
  // The one that is kept may be an older one, so the page waits.
  expect(await follow(page)).toEqual([{ kind: "opening" }]);
  answer(Response.json({ token: TOKEN }));
  await taken;
  expect(asked).toHaveBeenCalledWith("/api/token?ticket=a_B-1", expect.anything());
  expect(page.currentToken()).toBe(TOKEN);
  expect(localStorage.getItem("backscroll.token")).toBe(TOKEN);
});

test.each([
  ["used up", async () => new Response(null, { status: 401 })],
  ["not answered", () => Promise.reject(new TypeError("Failed to fetch"))],
])("with a ticket that is %s the page goes on with what is kept", async (_, answer) => {
  vi.stubGlobal("fetch", answer);
  localStorage.setItem("backscroll.token", OTHER);
  const kept = await openPage("/#ticket=a_B-1");
  await kept.takeTokenFromAddress();
  expect(await follow(kept)).toEqual([{ kind: "held", token: OTHER }]);
  localStorage.clear();
  const without = await openPage("/#ticket=a_B-1");
  await without.takeTokenFromAddress();
  expect(await follow(without)).toEqual([{ kind: "used" }]);
});

test("an address without a token is left alone", async () => {
  const page = await openPage("/#section");
  await page.takeTokenFromAddress();
  expect(window.location.hash).toBe("#section");
});

test("a refused token is not sent again, unless another tab has a newer one", async () => {
  const page = await openPage(`/#t=${TOKEN}`);
  await page.takeTokenFromAddress();
  localStorage.setItem("backscroll.token", OTHER);
  page.rejectToken(TOKEN);
  expect(page.currentToken()).toBe(OTHER);
  page.rejectToken(OTHER);
  expect(page.currentToken()).toBeNull();
});

test("a share's token is kept for its tab, a reload included, and leaves the owner's where it is", async () => {
  localStorage.setItem("backscroll.token", TOKEN);
  const page = await openPage(`/sessions/y?at=m~1#t=${SHARE}`);
  await page.takeTokenFromAddress();
  expect(window.location.href).toMatch(/\/sessions\/y\?at=m~1$/);
  expect(page.currentShareToken()).toBe(SHARE);
  expect(localStorage.getItem("backscroll.token")).toBe(TOKEN);
  expect(page.hasOwnerToken()).toBe(true);
  const reloaded = await openPage("/sessions/y");
  expect(await follow(reloaded)).toEqual([{ kind: "held", token: SHARE }]);
});

test("a share's tab does not take the owner's token from another tab, an owner's does", async () => {
  const guest = await openPage(`/sessions/y#t=${SHARE}`);
  await guest.takeTokenFromAddress();
  const seen = await follow(guest, () => storeElsewhere(OTHER));
  expect(seen).toEqual([{ kind: "held", token: SHARE }]);
  sessionStorage.clear();
  const owner = await openPage(`/#t=${TOKEN}`);
  await owner.takeTokenFromAddress();
  expect((await follow(owner, () => storeElsewhere(OTHER))).at(-1)).toEqual({ kind: "held", token: OTHER });
});

test("a refused share has ended, also after a reload; the owner's token is not tried in its place", async () => {
  localStorage.setItem("backscroll.token", TOKEN);
  const page = await openPage(`/sessions/y#t=${SHARE}`);
  await page.takeTokenFromAddress();
  page.rejectToken(SHARE);
  expect((await follow(page)).at(-1)).toEqual({ kind: "ended" });
  expect(page.currentToken()).toBeNull();
  expect(localStorage.getItem("backscroll.token")).toBe(TOKEN);
  const reloaded = await openPage("/sessions/y");
  expect(await follow(reloaded)).toEqual([{ kind: "held", token: SHARE }]);
});

test("the owner's link makes a share's tab the owner's", async () => {
  const page = await openPage(`/sessions/y#t=${SHARE}`);
  await page.takeTokenFromAddress();
  page.setToken(TOKEN);
  expect(page.currentShareToken()).toBeNull();
  expect(sessionStorage.length).toBe(0);
  const reloaded = await openPage("/");
  expect(await follow(reloaded)).toEqual([{ kind: "held", token: TOKEN }]);
});

test("a link has the token that it is given, and no other", async () => {
  const { withToken } = await openPage("/");
  expect(withToken(`http://a/x?q=1#L12&t=${OTHER}`, TOKEN)).toBe(`http://a/x?q=1#L12&t=${TOKEN}`);
  expect(withToken("http://a/x", TOKEN)).toBe(`http://a/x#t=${TOKEN}`);
  expect(withToken(`http://a/x#t=${OTHER}`, null)).toBe("http://a/x");
});

/** The states that a component sees which follows the token while `during` runs. */
async function follow(page: Awaited<ReturnType<typeof openPage>>, during = () => {}) {
  failOnConsoleErrors();
  const { act, createElement } = await import("react");
  const { createRoot } = await import("react-dom/client");
  const seen: unknown[] = [];
  function Follower() {
    seen.push(page.useTokenState());
    return null;
  }
  const root = createRoot(document.createElement("div"));
  act(() => root.render(createElement(Follower)));
  act(during);
  act(() => root.unmount());
  return seen;
}

/** Another tab of this browser keeps an owner's token. */
function storeElsewhere(token: string): void {
  localStorage.setItem("backscroll.token", token);
  window.dispatchEvent(new StorageEvent("storage", { key: "backscroll.token", newValue: token }));
}
