// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from "vitest";

const TOKEN = "a1B2-c3_D4.e5~F6g7";
const OTHER = "zzzzzzzzzzzzzzzzzzzz";

/** The module keeps the page's one token, so each test is a page of its own. */
async function openPage(address: string) {
  vi.resetModules();
  window.history.replaceState({ kept: 1 }, "", address);
  return import("./token");
}

beforeEach(() => localStorage.clear());

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
  page.takeTokenFromAddress();
  expect(window.location.href).toMatch(/\/sessions\/x\?at=m~1k9#L12$/);
  expect(window.history.state).toEqual({ kept: 1 });
  expect(page.currentToken()).toBe(TOKEN);
  expect(localStorage.getItem("backscroll.token")).toBe(TOKEN);
  expect(document.cookie).toBe("");
});

test("a token that cannot be one leaves the address too, and is not kept", async () => {
  const page = await openPage("/#t=short");
  page.takeTokenFromAddress();
  expect(window.location.hash).toBe("");
  expect(localStorage.getItem("backscroll.token")).toBeNull();
});

test("an address without a token is left alone", async () => {
  const page = await openPage("/#section");
  page.takeTokenFromAddress();
  expect(window.location.hash).toBe("#section");
});

test("a refused token is not sent again, unless another tab has a newer one", async () => {
  const page = await openPage(`/#t=${TOKEN}`);
  page.takeTokenFromAddress();
  localStorage.setItem("backscroll.token", OTHER);
  page.rejectToken(TOKEN);
  expect(page.currentToken()).toBe(OTHER);
  page.rejectToken(OTHER);
  expect(page.currentToken()).toBeNull();
});
