// @vitest-environment page
import { runInThisContext } from "node:vm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type EarlyRequests, earlyScript } from "./early-script";

const OWNER = "the-token-of-the-owner-1";
const SHARES = "share~the-token-of-a-share";
const REQUESTS: EarlyRequests = { "tools/true": ["/api/a", "/api/b"], "everything/true": ["/api/c"] };

let asked: { url: string; token: string | null }[];
let navigation: string;

beforeEach(() => {
  asked = [];
  navigation = "navigate";
  window.location.href = "http://127.0.0.1:4747/sessions/a";
  localStorage.setItem("backscroll.token", OWNER);
  vi.stubGlobal("fetch", async (url: string, { headers }: RequestInit) => {
    asked.push({ url, token: new Headers(headers).get("authorization") });
    return Response.json({});
  });
  vi.spyOn(performance, "getEntriesByType").mockImplementation(() => [
    { type: navigation } as unknown as PerformanceEntry,
  ]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  delete window.backscrollEarly;
});

/** As the document runs it. */
function run(requests = REQUESTS): void {
  runInThisContext(earlyScript(requests));
}

it("asks as this reader would: with the link's token, the share's of this tab, or the owner's, and with their preferences", () => {
  run();
  const owner = `Bearer ${OWNER}`;
  expect(asked).toEqual([
    { url: "/api/a", token: owner },
    { url: "/api/b", token: owner },
  ]);
  expect(window.backscrollEarly?.map(({ url, authorization }) => [url, authorization])).toEqual([
    ["/api/a", owner],
    ["/api/b", owner],
  ]);
  localStorage.setItem("backscroll.preferences", JSON.stringify({ detail: "everything", theme: "dark" }));
  sessionStorage.setItem("backscroll.share", SHARES);
  run();
  expect(asked.at(-1)).toEqual({ url: "/api/c", token: `Bearer ${SHARES}` });
  window.location.href = "http://127.0.0.1:4747/sessions/a#t=the-token-of-the-link-1";
  run();
  expect(asked.at(-1)).toEqual({ url: "/api/c", token: "Bearer the-token-of-the-link-1" });
});

it("asks for nothing where the page begins otherwise, or what it will ask for is not known", () => {
  navigation = "reload";
  run();
  navigation = "back_forward";
  run();
  navigation = "navigate";
  window.location.href = "http://127.0.0.1:4747/sessions/a#ticket=abc";
  run();
  window.location.href = "http://127.0.0.1:4747/sessions/a";
  localStorage.setItem("backscroll.preferences", JSON.stringify({ detail: "of a later version" }));
  run();
  localStorage.setItem("backscroll.preferences", "{");
  run();
  localStorage.clear();
  run();
  expect(asked).toEqual([]);
  expect(window.backscrollEarly ?? []).toEqual([]);
});

it("lets no address end the element that it stands in", () => {
  const script = earlyScript({ "tools/true": ["/api/</script><script>alert(1)</script>", "/api/<!--"] });
  expect(script).not.toMatch(/<\/|<!--/);
  runInThisContext(script);
  expect(asked[1]?.url).toBe("/api/<!--");
});

it("leaves the page alone in a browser that keeps nothing for it", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => {
      throw new DOMException("refused", "SecurityError");
    },
  });
  expect(() => run()).not.toThrow();
  expect(asked).toEqual([]);
});
