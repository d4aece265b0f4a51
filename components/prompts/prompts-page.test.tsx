// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { ProjectId, RecordId, SessionId } from "@/lib/wire/ids";
import type { PromptsResponse, PromptUse, UsedPrompt } from "@/lib/wire/search";
import { PromptsPage } from "./prompts-page";

vi.mock("@/components/share/page-menu", () => ({ PageMenu: () => null }));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/prompts" }));

const usedAt = (more: Partial<PromptUse> = {}): PromptUse => ({
  atMs: 1e12,
  sessionId: "s1" as SessionId,
  recordId: "m~1k" as RecordId,
  title: "Fix the cart",
  projectId: "p1" as ProjectId,
  projectPath: "/home/dev/shop",
  ...more,
});
const GONE = usedAt({ sessionId: null, recordId: null, title: null, projectId: null });

const ANSWER: PromptsResponse = {
  prompts: [
    {
      id: "a".repeat(16),
      text: "Run the tests",
      length: 13,
      uses: 3,
      sessions: 2,
      gone: 1,
      firstAtMs: 1e11,
      last: usedAt(),
    },
    {
      id: "b".repeat(16),
      text: "Look at the walrus",
      length: 18,
      uses: 1,
      sessions: 0,
      gone: 1,
      firstAtMs: 1e12,
      last: GONE,
    },
  ],
  total: 2,
  uses: 4,
  nextCursor: null,
  sessions: { done: 2, total: 2 },
  complete: true,
  problems: [],
};

/** Answers with these prompts. Returns what is asked for. */
function answer(prompts: PromptsResponse): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (path.startsWith("/api/prompts/"))
      return Response.json({
        text: "Run the tests",
        length: 13,
        uses: [usedAt(), GONE],
        total: 2,
        nextCursor: null,
      });
    if (path.startsWith("/api/prompts")) return Response.json(prompts);
    if (path.startsWith("/api/projects")) return Response.json({ projects: [], totals: null });
    return Response.json({ indexing: { done: true }, warnings: [] });
  });
  return asked;
}

const main = () => document.querySelector("main");
const lines = () => [...document.querySelectorAll<HTMLElement>('ol[aria-label="Prompts"] > li')];

it("lists each prompt once with its count, and marks one whose log is gone, without a link", async () => {
  answer(ANSWER);
  window.history.replaceState(null, "", "/prompts");
  await drawnPage().draw(<PromptsPage />);
  await until(() => expect(lines()).toHaveLength(2));
  expect(main()?.querySelector('[role="status"]')?.textContent).toBe("2 prompts, used 4 times");
  const [first, second] = lines();
  expect(first?.textContent).toContain("3 ×");
  expect(first?.querySelector("a")?.getAttribute("href")).toBe("/sessions/s1?at=m~1k");
  expect(first?.textContent).toContain("1 gone");
  expect(second?.textContent).toContain("log is gone");
  expect(second?.querySelector("a")).toBeNull();
});

it("has a column for counts only where a prompt was used more than once", async () => {
  const [often, once] = ANSWER.prompts as [UsedPrompt, UsedPrompt];
  const { draw } = drawnPage();
  const counts = () => lines().map((line) => line.querySelector('[title^="Used "]')?.getAttribute("title"));
  answer({ ...ANSWER, prompts: [once], total: 1, uses: 1 });
  window.history.replaceState(null, "", "/prompts");
  await draw(<PromptsPage />);
  await until(() => expect(counts()).toEqual([undefined]));
  // One that is used more often may be on a page of the list that is not loaded yet.
  answer({ ...ANSWER, prompts: [once], total: 2, uses: 4, nextCursor: "next" });
  await draw(<PromptsPage key="again" />);
  await until(() => expect(counts()).toEqual(["Used 1 time"]));
  answer({ ...ANSWER, prompts: [often, once] });
  await draw(<PromptsPage key="often" />);
  await until(() => expect(counts()).toEqual(["Used 3 times", "Used 1 time"]));
});

it("opens a prompt with its whole text and all its uses", async () => {
  const asked = answer(ANSWER);
  window.history.replaceState(null, "", "/prompts?sort=uses&q=tests");
  await drawnPage().draw(<PromptsPage />);
  await until(() => expect(lines()).toHaveLength(2));
  expect(asked.find((path) => path.startsWith("/api/prompts?"))).toMatch(/q=tests.*sort=uses/);
  const button = lines()[0]?.querySelector<HTMLButtonElement>("button[aria-expanded]");
  await act(async () => button?.click());
  await until(() =>
    expect(lines()[0]?.querySelectorAll('ol[aria-label="Uses, the latest first"] > li')).toHaveLength(2),
  );
  expect(button?.textContent).toBe("Used 3 times in 2 sessions, 1 log gone");
  const [there, gone] = lines()[0]?.querySelectorAll("ol > li") ?? [];
  expect(there?.querySelector("a")?.textContent).toBe("Fix the cart");
  expect(gone?.querySelector("a")).toBeNull();
  // The uses are those of the list that is shown.
  expect(asked.find((path) => path.startsWith("/api/prompts/"))).toContain("q=tests");
});

it("says what was looked through as long as sessions are missing, and what matches nothing", async () => {
  answer({ ...ANSWER, complete: false, sessions: { done: 2, total: 9 } });
  window.history.replaceState(null, "", "/prompts");
  const { draw } = drawnPage();
  await draw(<PromptsPage />);
  await until(() => expect(main()?.textContent).toContain("Looked through 2 of 9 sessions"));
  answer({ ...ANSWER, prompts: [], total: 0, uses: 0 });
  window.history.replaceState(null, "", "/prompts?q=nothing");
  await draw(<PromptsPage key="again" />);
  await until(() => expect(main()?.textContent).toContain("No prompt matches"));
});
