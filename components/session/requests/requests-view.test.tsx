// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { SessionContext, type SessionContextValue } from "@/components/session/session-store";
import { parseThreadUrl, type ThreadUrl, threadSearch } from "@/lib/client/address/session-url";
import { type DrawnPage, drawnPage, until } from "@/lib/testing/drawn-page";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { RequestsPage, SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { RequestsView } from "./requests-view";

const request = (id: string, agentId: string | null): SessionRequest => ({
  recordId: id as RecordId,
  agentId: agentId as AgentId | null,
  ...{
    atMs: 0,
    model: "claude-opus-4-5",
    context: 9,
    passes: 1,
    advisors: [],
    input: 9,
    output: 1,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
  },
  ...{ window: 200_000, compactedAt: null, parts: { base: 9 }, miss: null },
});

const missed = (id: string): SessionRequest => ({
  ...request(id, null),
  miss: {
    cause: "model",
    recordId: id as RecordId,
    block: null,
    lostTokens: 9,
    microUsd: 9,
    exact: false,
    difference: null,
  },
});

/** What the server answers of these, so many at a time. */
function pageOf(all: readonly SessionRequest[], path: string, most = 100): RequestsPage {
  const query = new URL(path, "http://localhost").searchParams;
  const agents = new Set(all.map(({ agentId }) => agentId));
  const threads = [...agents].map((agentId) => {
    const own = all.filter((one) => one.agentId === agentId);
    return { agentId, first: own[0]?.recordId as RecordId, requests: own.length };
  });
  const named = all.find(({ recordId }) => recordId === query.get("step"))?.agentId;
  const agentId = named ?? threads.find((one) => one.agentId === query.get("agent"))?.agentId ?? null;
  const own = all.filter((one) => one.agentId === agentId);
  const from = Number(query.get("cursor"));
  const nextCursor = from + most < own.length ? String(from + most) : null;
  return { agentId, threads, requests: own.slice(from, from + most), total: own.length, nextCursor };
}

/** Draws the view at an address of its session. */
async function drawView(
  page: DrawnPage,
  search: string,
  { printed = false, ...context }: { printed?: boolean } & Partial<SessionContextValue> = {},
): Promise<void> {
  const value = {
    ...{ sessionId: "s", session: null, url: parseThreadUrl(search), store: { views: {} } },
    ...context,
  } as unknown as SessionContextValue;
  await page.draw(
    <SessionContext value={value}>
      <RequestsView printed={printed} />
    </SessionContext>,
  );
  await page.settle();
}

const NOTHING = { count: 0, places: [], waitedMs: 0 };
const FACTS = { retries: NOTHING, failures: [], rereads: [], undone: [], unused: null, hooks: [] };

it("whose requests are shown, and as what, is in the address, so that a reload and Back from a row show it again", async () => {
  const page = drawnPage();
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.includes("/facts")) return Response.json(FACTS);
    if (path.includes("/agents")) return Response.json({ agents: [], nextCursor: null });
    return Response.json(pageOf([request("m~1", null), request("m~2", "a1"), request("m~3", "a1")], path));
  });
  let search = "?view=context";
  const draw = async () => {
    const setUrl = (change: Partial<ThreadUrl>) => {
      search = threadSearch(change, search);
    };
    await drawView(page, search, { setUrl });
  };
  const choice = () => document.querySelector<HTMLSelectElement>("select[aria-label='Whose requests']");
  await draw();
  expect(choice()?.value).toBe("");
  await act(async () => {
    const select = choice() as HTMLSelectElement;
    select.value = "a1";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const looks = () => [...document.querySelectorAll("button[aria-pressed]")] as HTMLButtonElement[];
  const pressed = () => looks().find((one) => one.matches("[aria-pressed=true]"))?.textContent;
  expect(pressed()).toBe("Chart");
  await draw();
  await act(async () =>
    looks()
      .find((one) => one.textContent === "Table")
      ?.click(),
  );
  page.leave();
  await draw();
  expect([choice()?.value, document.body.textContent?.includes("2 requests")]).toEqual(["a1", true]);
  expect([pressed(), document.querySelectorAll("table").length]).toEqual(["Table", 1]);
});

it("on a sheet, which is laid out by the printer alone, the chart has the width of paper", async () => {
  const page = drawnPage();
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.includes("/facts") ? FACTS : pageOf([request("m~1", null)], path)),
  );
  await drawView(page, "?view=context", { printed: true });
  const sheet = document.querySelector("[data-print-sheet]");
  expect(sheet?.querySelectorAll("[aria-label='Context by request'] [data-bar]")).toHaveLength(1);
});

it("of an answer of several passes, sums and what was sent are told apart; its advisor stands beside it", async () => {
  const page = drawnPage();
  const tokens = {
    context: 61_502,
    passes: 2,
    cacheRead: 121_000,
    cacheWrite1h: 1_500,
    input: 4,
    output: 445,
  };
  const advisor = { model: "claude-opus-4-5", input: 61_419, cacheRead: 0, cacheWrite: 0, output: 7_805 };
  const asked = { ...request("m~1", null), ...tokens, advisors: [advisor] };
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.includes("/facts") ? FACTS : pageOf([asked], path)),
  );
  const textOf = async (search: string) => {
    await drawView(page, search, { printed: true });
    return document.body.textContent;
  };
  expect(await textOf("?view=context")).toContain(
    "2 passes, together 123k in and 445 out; the last was sent 62k · advisor opus-4-5: 61k in, 7.8k out",
  );
  expect(document.querySelectorAll("[data-bar] [data-advisor]")).toHaveLength(1);
  await textOf("?view=context&look=table");
  const rows = [...document.querySelectorAll("tbody tr")].map(({ textContent }) => textContent);
  expect(rows).toEqual([
    expect.stringMatching(/last of 2 passes61,502.*121,0001,500445/),
    "advisor opus-4-561,419·61,419··7,805asked while this was answered",
  ]);
});

it("marks the missed request that the address names, in the chart, in the table and among the misses, and shows it", async () => {
  const page = drawnPage();
  const all = [request("m~1", null), missed("m~2"), missed("m~3")];
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.includes("/facts") ? FACTS : pageOf(all, path)),
  );
  const shown: (string | null)[] = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    shown.push(this.textContent);
  });
  const draw = async (search: string) => {
    await drawView(page, search);
    return [...document.querySelectorAll("[aria-current=true]")].map(
      (one) => one.getAttribute("aria-label") ?? one.textContent,
    );
  };
  expect(await draw("?view=context&step=m~3&look=table")).toEqual([
    expect.stringMatching(/^3/),
    expect.stringContaining("request 3"),
  ]);
  expect(new Set(shown)).toEqual(new Set([expect.stringMatching(/^3/)]));
  // Of a thread that was chosen its first request is in the address, which only says which thread it is.
  expect(await draw("?view=context&step=m~1&look=table")).toEqual([]);
});

it("reads a thread page by page, once for all its requests, and draws the first fifty of its misses until more are wanted", async () => {
  const page = drawnPage();
  const all = Array.from({ length: 250 }, (_, nth) => missed(`m~${nth + 1}`));
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.includes("/facts")) return Response.json(FACTS);
    asked.push(path);
    return Response.json(pageOf(all, path));
  });
  const draw = (search: string) => drawView(page, search);
  const misses = () => document.querySelectorAll("ol[aria-label^='Cache misses'] li").length;
  await draw("?view=context");
  expect([asked.length, document.body.textContent?.includes("250 requests"), misses()]).toEqual([
    3,
    true,
    50,
  ]);
  await act(async () =>
    [...document.querySelectorAll("button")]
      .find((one) => one.textContent === "Show 50 more of 200")
      ?.click(),
  );
  expect(misses()).toBe(100);
  // A miss that the address names is in the list, and its thread is known.
  await draw("?view=context&step=m~240");
  expect([asked.length, misses()]).toEqual([3, 240]);
});

it("draws the requests that have come while others are read, in their places", async () => {
  const page = drawnPage();
  const all = Array.from({ length: 250 }, (_, nth) => request(`m~${nth + 1}`, null));
  const waiting: (() => void)[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.includes("/facts")) return Response.json(FACTS);
    await new Promise<void>((answer) => waiting.push(answer));
    return Response.json(pageOf(all, path));
  });
  const value = {
    ...{ sessionId: "s", session: null, url: parseThreadUrl("?view=context"), store: { views: {} } },
  } as unknown as SessionContextValue;
  await page.draw(
    <SessionContext value={value}>
      <RequestsView printed />
    </SessionContext>,
  );
  const answer = async (nth: number) => {
    await until(() => expect(waiting).toHaveLength(nth));
    waiting[nth - 1]?.();
  };
  const bars = () => document.querySelectorAll("[data-print-sheet] [data-bar]").length;
  await answer(1);
  await until(() => expect(document.body.textContent).toContain("100 of 250 requests"));
  const [first] = [bars()];
  expect(first).toBeGreaterThan(0);
  await answer(2);
  await until(() => expect(document.body.textContent).toContain("200 of 250 requests"));
  expect(bars()).toBe(2 * first);
  await answer(3);
  await until(() =>
    expect(document.body.textContent).toMatch(/[^f] 250 requests|^250 requests|thread250 requests/),
  );
});

it("asks only for what is new as the session grows, and for all where the log was rewritten", async () => {
  const page = drawnPage();
  let all = Array.from({ length: 250 }, (_, nth) => request(`m~${nth + 1}`, null));
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.includes("/facts")) return Response.json(FACTS);
    asked.push(`${new URL(path, "http://localhost").searchParams.get("cursor")}`);
    return Response.json(pageOf(all, path));
  });
  const draw = async (revision: number) => {
    asked.length = 0;
    await drawView(page, "?view=context", {
      session: { revision, project: { path: null } } as unknown as SessionContextValue["session"],
    });
    return asked;
  };
  expect(await draw(1)).toEqual(["null", "100", "200"]);
  all = [...all, request("m~251", null)];
  expect(await draw(2)).toEqual(["230"]);
  expect(document.body.textContent).toContain("251 requests");
  all = all.map((_, nth) => request(`m~${nth + 9001}`, null));
  expect(await draw(3)).toEqual(["231", "null", "100", "200"]);
});

it("a long thread is drawn with few elements, whatever its requests hold", async () => {
  const page = drawnPage();
  const parts = Object.fromEntries(
    ["system", "tools", "summary", "prompts", "answers", "thinking", "result:Read", "result:Bash"].map(
      (key) => [key, 1],
    ),
  );
  const all = Array.from({ length: 5_000 }, (_, nth) => ({ ...missed(`m~${nth + 1}`), parts }));
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.includes("/facts") ? FACTS : pageOf(all, path, 5_000)),
  );
  for (const look of ["chart", "table"]) {
    await drawView(page, `?view=context&look=${look}`, { printed: look === "chart" });
    expect(document.querySelectorAll("*").length).toBeLessThan(3_500);
  }
});
