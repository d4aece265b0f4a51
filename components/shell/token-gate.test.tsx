// @vitest-environment page
import { act } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";
import { rejectToken, setToken } from "@/lib/client/connection/token";
import { type DrawnPage, drawnPage } from "@/lib/testing/drawn-page";
import { TokenGate } from "./token-gate";

const OWNER = "0123456789abcdefghij";
const SHARE = "share~0123456789abcdefghij";
const SHARED = { kind: "share", sessionId: "y7", redacted: true, expiresAtMs: Date.now() + 60_000 };

const place = vi.hoisted(() => ({ path: "/" }));
vi.mock("next/navigation", () => ({ usePathname: () => place.path }));

let page: DrawnPage;

beforeEach(() => {
  page = drawnPage();
  vi.stubGlobal(
    "fetch",
    async () => new Response(JSON.stringify({ indexing: { done: true }, access: SHARED })),
  );
  localStorage.clear();
  sessionStorage.clear();
});

/** What is in the page at a path, once the server has said what the token is good for. */
async function textAt(path: string): Promise<string> {
  place.path = path;
  page.leave();
  page.client.clear();
  await page.draw(<TokenGate key={path}>the page</TokenGate>);
  await page.settle();
  return document.body.textContent ?? "";
}

it("a share's tab shows its session, and for every other page the way there", async () => {
  setToken(SHARE);
  expect(await textAt("/sessions/y7")).toBe("the page");
  for (const path of ["/", "/search", "/sessions/another", "/sessions"]) {
    expect(await textAt(path), path).toContain("One session was shared with you");
    expect(document.querySelector("a")?.getAttribute("href")).toBe("/sessions/y7");
  }
});

it("a share's tab shows its session also while nothing of it can be read, and leads nowhere else", async () => {
  setToken(SHARE);
  const access = { ...SHARED, sessionId: null };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ indexing: { done: true }, access })));
  expect(await textAt("/sessions/y7")).toBe("the page");
  expect(await textAt("/")).toContain("One session was shared with you");
  expect(document.querySelector("a")).toBeNull();
});

it("the owner sees every page", async () => {
  setToken(OWNER);
  expect(await textAt("/")).toBe("the page");
});

it("a share that has ended says so, and asks for no token", async () => {
  setToken(SHARE);
  rejectToken(SHARE);
  expect(await textAt("/sessions/y7")).toContain("expired, or the person who sent it has taken it back");
  expect(document.querySelectorAll("input, button")).toHaveLength(0);
});

it("who has sessions of his own in this browser can leave a share for them", async () => {
  setToken(OWNER);
  setToken(SHARE);
  rejectToken(SHARE);
  const gone = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  expect(await textAt("/sessions/y7")).toContain("Open my own sessions");
  act(() => document.querySelector("button")?.click());
  expect(gone).toHaveBeenCalledWith("/");
  expect(sessionStorage.length).toBe(0);
});

it("an address whose ticket is used up says so, where no token is kept, and what to do", async () => {
  vi.stubGlobal("fetch", async () => new Response("{}", { status: 401 }));
  window.history.replaceState(null, "", "/#ticket=a_B-1");
  await textAt("/");
  const text = await textAt("/");
  expect(text).toContain(
    "worked once, within a minute, and does not any more. The link with the token is in the terminal",
  );
});

it("a page whose scripts do not come says in its HTML what to do, and nothing of what it shows", () => {
  setToken(OWNER);
  const html = renderToString(<TokenGate>what it shows</TokenGate>);
  expect(html).toContain("reload the page");
  expect(html).not.toContain("what it shows");
});
