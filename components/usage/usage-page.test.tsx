// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { UsageResponse, UsageRow } from "@/lib/wire/usage";
import { UsagePage } from "./usage-page";

const saved = vi.hoisted(() => [] as { name: string; text: string; type: string }[]);
vi.mock("@/lib/client/save-file", () => ({
  saveFile: (name: string, text: string, type: string) => void saved.push({ name, text, type }),
}));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/usage" }));

const row = (key: string, requests: number, costMicroUsd: number): UsageRow => ({
  ...{ key, name: key, requests, costMicroUsd, sessions: 1, models: [] },
  ...{ input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  ...{ webSearches: 0, unpricedTokens: 0 },
});
/** The dearest first, as the server sends them. */
const MODELS = [row("opus", 2, 900_000), row("sonnet", 30, 500_000), row("haiku", 7, 100_000)];
const DAYS = [row("2026-11-20", 39, 1_500_000)];

/** The dearest first. */
const SESSIONS = Array.from({ length: 230 }, (_, n) => row(`s${n}`, 300 - n, 1_000 * (300 - n)));
const ROWS = { day: DAYS, model: MODELS, session: SESSIONS };

function answerOf(by: keyof typeof ROWS, limit = Infinity): UsageResponse {
  const all = ROWS[by];
  const rows = all.slice(0, limit);
  const nextCursor = rows.length < all.length ? "more" : null;
  const totals = row("", 39, 1_500_000);
  return { by, rows, total: all.length, nextCursor, totals, pricesAsOf: "2026-11-24", complete: true };
}

/** Whether the usage by day is answered, beside all other, which always is. */
let hasDays = true;
/** How many sessions were asked for, each time. */
let sessionsAsked: string[] = [];

beforeEach(() => {
  hasDays = true;
  saved.length = 0;
  sessionsAsked = [];
  window.history.replaceState(null, "", "/usage?by=model");
  vi.stubGlobal("fetch", async (path: string) => {
    const { pathname, searchParams } = new URL(path, "http://127.0.0.1:4747");
    if (pathname === "/api/projects") return Response.json({ projects: [] });
    if (pathname !== "/api/usage") return Response.json({});
    const by = searchParams.get("by") as keyof typeof ROWS;
    const limit = searchParams.get("limit");
    if (by === "session") sessionsAsked.push(limit ?? "all");
    if (by === "day" && !hasDays)
      return Response.json({ error: { code: "broken", message: "No days." } }, { status: 500 });
    return Response.json(answerOf(by, limit === null ? Infinity : Number(limit)));
  });
});

const button = (name: string) =>
  [...document.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent) === name,
  );
const press = (name: string) => act(async () => button(name)?.click());
const names = () => [...document.querySelectorAll("tbody th")].map(({ textContent }) => textContent);

it("says so where the days alone cannot be had, and shows all once they can", async () => {
  hasDays = false;
  await drawnPage().draw(<UsagePage />);
  await until(() => expect(document.body.textContent).toContain("Couldn’t add up the usage"));
  expect(document.body.textContent).toContain("No days.");
  expect(names()).toEqual([]);
  hasDays = true;
  await press("Try again");
  await until(() => expect(names()).toEqual(["opus", "sonnet", "haiku"]));
});

it("is ordered by a head of its table, the other way round when that is pressed again", async () => {
  await drawnPage().draw(<UsagePage />);
  await until(() => expect(names()).toEqual(["opus", "sonnet", "haiku"]));
  const order = () => button("Requests")?.closest("th")?.getAttribute("aria-sort");
  await press("Requests");
  await until(() => expect(names()).toEqual(["sonnet", "haiku", "opus"]));
  expect(order()).toBe("descending");
  await press("Requests");
  await until(() => expect(names()).toEqual(["opus", "haiku", "sonnet"]));
  expect(order()).toBe("ascending");
});

it("is saved as CSV, a line for each row, and as JSON as the API has it", async () => {
  await drawnPage().draw(<UsagePage />);
  await until(() => expect(names()).toHaveLength(3));
  await press("Download as CSV");
  await press("Download as JSON");
  await until(() => expect(saved).toHaveLength(2));
  const [csv, json] = saved;
  expect([csv?.name, csv?.type]).toEqual(["usage by model.csv", "text/csv"]);
  expect(csv?.text.trim().split("\r\n").slice(1)).toEqual([
    expect.stringMatching(/^opus,opus,2,/),
    expect.stringMatching(/^sonnet,sonnet,30,/),
    expect.stringMatching(/^haiku,haiku,7,/),
  ]);
  expect([json?.name, json?.type]).toEqual(["usage by model.json", "application/json"]);
  expect(JSON.parse(json?.text ?? "")).toEqual(answerOf("model"));
});

it("asks of many sessions only for those that are drawn, and for all where they are saved or ordered", async () => {
  window.history.replaceState(null, "", "/usage?by=session");
  await drawnPage().draw(<UsagePage />);
  await until(() => expect(document.body.textContent).toContain("Show 30 more of 30"));
  expect(new Set(sessionsAsked.splice(0))).toEqual(new Set(["200"]));
  await press("Download as CSV");
  await until(() => expect(saved[0]?.text.trim().split("\r\n")).toHaveLength(231));
  expect(sessionsAsked.splice(0)).toEqual(["all"]);
  await press("Show 30 more of 30");
  await until(() => expect(sessionsAsked.splice(0)).toEqual(["400"]));
  await press("Requests");
  await until(() => expect(sessionsAsked.splice(0)).toEqual(["all"]));
});
