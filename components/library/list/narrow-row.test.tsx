// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { setLiveState } from "@/lib/client/live-states";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import type { Doing, LiveState } from "@/lib/wire/live";
import { SelectionBar, toggleSelected, toggleSelecting } from "../selected-sessions";
import { NarrowRow } from "./session-row";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

it("a selected session is marked on a narrow page, too", async () => {
  const session = makeSummary({ title: "Retry once" });
  await drawnPage().draw(
    <NarrowRow session={session} project={undefined} sort="active" current={false} tabStop focused={false} />,
  );
  const isMarked = () => document.body.textContent?.includes("Selected");
  expect(isMarked()).toBe(false);
  act(() => toggleSelected(session.id));
  expect(isMarked()).toBe(true);
  act(() => toggleSelected(session.id));
  expect(isMarked()).toBe(false);
});

it("is selected without a key by its check box, for as long as sessions are chosen", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ projects: [], totals: null }));
  const session = makeSummary({ title: "Retry once" });
  const page = drawnPage();
  await page.draw(
    <>
      <NarrowRow
        session={session}
        project={undefined}
        sort="active"
        current={false}
        tabStop
        focused={false}
      />
      <SelectionBar shown={[session]} />
    </>,
  );
  const box = () =>
    document.querySelector<HTMLInputElement>('[type="checkbox"][aria-label="Select Retry once"]');
  const told = () => document.querySelector('[role="toolbar"] [role="status"]')?.textContent;
  expect([box(), told()]).toEqual([null, undefined]);
  act(toggleSelecting);
  expect([box()?.checked, told()]).toEqual([false, "Choose sessions in the list"]);
  act(() => box()?.click());
  expect([box()?.checked, told()]).toEqual([true, "1 session selected"]);
  act(() => box()?.click());
  expect(box()?.checked).toBe(false);
  act(() => document.querySelector<HTMLButtonElement>('[aria-label="End selecting"]')?.click());
  expect([box(), told()]).toEqual([null, undefined]);
});

it("says at once what its session does now, though the list that it is in knows of that a moment later", async () => {
  const session = makeSummary({ title: "Retry once", state: "waiting", sinceMs: 1_000 });
  const told = (more: Partial<LiveState>): LiveState => ({
    ...{
      sessionId: session.id,
      state: "running",
      sinceMs: 2_000,
      doing: null,
      pid: 1,
      gone: false,
      checked: true,
    },
    ...{ lastLineAtMs: 1, lastText: "All tests pass", contextTokens: null, contextLimit: null },
    ...more,
  });
  const doing = (kind: Doing["kind"], name: string | null): Doing => ({
    ...{ kind, name, subject: null, recordId: null, sinceMs: null, partial: null },
  });
  const page = drawnPage();
  await page.draw(
    <NarrowRow session={session} project={undefined} sort="active" current={false} tabStop focused={false} />,
  );
  const says = (word: string) => document.body.textContent?.includes(word);
  const waiting = "Waiting for you in its terminal";
  expect(says(waiting)).toBe(true);
  act(() => setLiveState(told({ doing: doing("tool", "Bash") })));
  expect([says(waiting), says("Running"), says("Bash")]).toEqual([false, true, true]);
  act(() => setLiveState(told({ state: "idle" })));
  expect([says(waiting), says("All tests pass")]).toEqual([false, true]);
  // The list was read after a gap in what is told.
  act(() => setLiveState(told({ sinceMs: 500, doing: doing("tool", "Bash") })));
  expect([says(waiting), says("Bash")]).toEqual([true, false]);
});

it("shows in a title and a branch what would turn or hide the rest of the row", async () => {
  const session = makeSummary({ title: "a\u202egpj.exe", gitBranch: "fix\u200b" });
  await drawnPage().draw(
    <NarrowRow session={session} project={undefined} sort="active" current={false} tabStop focused={false} />,
  );
  expect(document.body.textContent).toContain("aU+202Egpj.exe");
  expect(document.body.textContent).toContain("fixU+200B");
  expect(document.body.textContent).not.toMatch(/[\u202e\u200b]/);
});
