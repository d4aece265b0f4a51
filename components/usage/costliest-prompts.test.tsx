// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import type { PromptUsage, UsagePromptsResponse } from "@/lib/wire/usage";
import { CostliestPrompts } from "./costliest-prompts";
import { MissesView } from "./misses-view";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/usage" }));

const prompt = (more: Partial<PromptUsage>): PromptUsage => ({
  sessionId: "s1" as SessionId,
  title: "Cart",
  projectId: "p1" as ProjectId,
  recordId: "m~1k" as RecordId,
  prompt: "Fix the cart",
  atMs: 1e12,
  durationMs: 61_000,
  input: 1000,
  output: 200,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  costMicroUsd: 2_500_000,
  unpricedTokens: 0,
  agentsMicroUsd: 500_000,
  models: ["claude-opus-4-5-20251101"],
  ...more,
});

const ANSWER: UsagePromptsResponse = {
  prompts: [
    prompt({}),
    prompt({ recordId: "m~2b" as RecordId, prompt: "", costMicroUsd: null, unpricedTokens: 1200 }),
  ],
  total: 2,
  totals: { prompts: 2, tokens: 2400, costMicroUsd: 2_500_000, unpricedTokens: 1200, durationMs: 122_000 },
  sessions: { done: 1, total: 1 },
  pricesAsOf: "2026-11-24",
  complete: true,
};
const ASKED = { from: null, to: null, project: null, agents: true, sort: "cost" } as const;

it("lists prompts with the way to their turns, and is ordered by a column’s head", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json(ANSWER);
  });
  const sorts: string[] = [];
  await drawnPage().draw(
    <CostliestPrompts asked={ASKED} onSort={(sort) => sorts.push(sort)} onAll={() => undefined} />,
  );
  const rows = () => [...document.querySelectorAll("tbody tr")];
  await until(() => expect(rows()).toHaveLength(2));
  expect(asked[0]).toMatch(/^\/api\/usage\/prompts\?.*sort=cost/);
  const [first, second] = rows();
  expect(
    [...(first?.querySelectorAll("th, td") ?? [])].map(({ textContent }) => textContent).join("|"),
  ).toContain("|1 m 1 s|1.2k|$2.50|");
  expect(first?.querySelector("a")?.getAttribute("href")).toBe("/sessions/s1?at=m~1k");
  expect(first?.querySelector('td[title*="of it agents’"]')).not.toBeNull();
  expect(second?.querySelector("th")?.textContent).toBe("an image");
  expect(second?.textContent).toContain("unpriced");
  const heads = [...document.querySelectorAll<HTMLElement>("thead button")];
  await act(async () => heads.find(({ textContent }) => textContent === "Duration")?.click());
  expect(sorts).toEqual(["duration"]);
});

it("says that a range has no prompts only when all sessions were looked through", async () => {
  let complete = false;
  vi.stubGlobal("fetch", async () =>
    Response.json({ ...ANSWER, prompts: [], total: 0, complete, sessions: { done: 0, total: 3 } }),
  );
  await drawnPage().draw(
    <CostliestPrompts
      asked={{ ...ASKED, from: "2026-11-01" }}
      onSort={() => undefined}
      onAll={() => undefined}
    />,
  );
  await until(() => expect(document.body.textContent).toContain("Looked through 0 of 3 sessions"));
  expect(document.body.textContent).not.toContain("No prompts in this range");
  complete = true;
  await until(() => expect(document.body.textContent).toContain("No prompts in this range"));
});

it("who comes back to the tab has prompts and cache misses asked for again, as the figures above them are", async () => {
  const sums = { requests: 0, lostTokens: 0, microUsd: 0, unpricedTokens: 0 };
  const misses = { ...ANSWER, causes: [], totals: sums, misses: [] };
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path.replace(/\?.*/, ""));
    return Response.json(path.includes("misses") ? misses : ANSWER);
  });
  const page = drawnPage();
  // As the page's own client has it.
  page.client.setDefaultOptions({ queries: { retry: false, refetchOnWindowFocus: false } });
  await page.draw(
    <>
      <CostliestPrompts asked={ASKED} onSort={() => undefined} onAll={() => undefined} />
      <MissesView asked={{ ...ASKED, cause: null }} onCause={() => undefined} onAll={() => undefined} />
    </>,
  );
  await page.settle();
  const once = ["/api/usage/misses", "/api/usage/prompts"];
  expect(asked.toSorted()).toEqual(once);
  await act(async () => void window.dispatchEvent(new Event("visibilitychange")));
  await page.settle();
  expect(asked.toSorted()).toEqual([...once, ...once].toSorted());
});
