// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { type RowAnnotations, RowAnnotationsContext } from "@/components/annotations/row-annotations";
import { ThreadContext } from "@/components/content/row-actions";
import { SessionContext } from "@/components/session/session-store";
import { ThreadAtHand } from "@/components/thread/store/thread-at-hand";
import { ThreadStoreContext } from "@/components/thread/use-thread";
import { formatFullTime } from "@/lib/format/format";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Annotation } from "@/lib/wire/annotations";
import { groupByPlace } from "@/lib/wire/comment-threads";
import type { AgentId } from "@/lib/wire/ids";
import type { AgentEntry } from "@/lib/wire/session";
import { LooseAgents, PrintedThread, useThreadKeys } from "./exported-page";
import { ExportedThread } from "./exported-thread";

it("an agent without a row that leads to it opens beside the thread", async () => {
  const openAgent = vi.fn();
  const agent = {
    agentId: "a2" as AgentId,
    description: "Second job",
    type: "Explore",
    lane: 2,
  } as AgentEntry;
  await drawnPage().draw(
    <ThreadContext.Provider value={{ openAgent } as never}>
      <LooseAgents agents={[agent]} />
    </ThreadContext.Provider>,
  );
  const button = document.querySelector<HTMLButtonElement>('[aria-label="More agents"] button');
  expect(button?.textContent).toBe("Second job");
  await act(async () => button?.click());
  expect(openAgent).toHaveBeenCalledWith("a2");
});

it("the keys that its buttons name work", async () => {
  const thread = { selected: () => ({ row: { turn: 3 } }), toggleFold: vi.fn() };
  const panes = { openSelectedAgent: vi.fn(), hasAny: () => false };
  const store = { thread, atHand: new ThreadAtHand(thread as never), panes, toggleBrief: vi.fn() };
  const Keys = () => {
    useThreadKeys();
    return null;
  };
  await drawnPage().draw(
    <SessionContext value={{ store } as never}>
      <Keys />
    </SessionContext>,
  );
  for (const key of ["f", "b", "p"])
    await act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
  expect(thread.toggleFold).toHaveBeenCalledWith(3);
  expect(store.toggleBrief).toHaveBeenCalledOnce();
  expect(panes.openSelectedAgent).toHaveBeenCalledOnce();
});

it("a call that was opened and never scrolled to is printed with its contents, and below it the comments on it", async () => {
  const call = {
    recordId: "m~1",
    block: 0,
    name: "Nap",
    input: { about: "ls" },
    results: [],
    diffs: [],
    later: [],
  };
  const row = {
    ...call,
    kind: "tool",
    key: "m~1.0",
    turn: 0,
    server: null,
    subject: "ls",
    state: "ok",
    blobs: [],
  };
  const file = {
    session: { title: "A session", facts: "" },
    thread: () => new ExportedThread([row as never]),
    call: () => ({ ...call, partial: { text: "a marmot", cut: false, length: 8 } }),
  };
  const state = { open: new Set([row.key]), position: { first: 0 } };
  const thread = { get: () => state, subscribe: () => () => undefined };
  const page = { sessionId: "s", choice: { agent: null, fold: null }, store: { thread } };
  const written = (id: string, author: string | null, replyTo: string | null) => ({
    ...{ id, author, replyTo, kind: "comment", body: `Why ${id}?`, state: "anchored" },
    ...{ createdAtMs: Date.UTC(2026, 7, 3, 10), editedAtMs: null, resolvedAtMs: null },
    target: { recordId: "m~1", block: 0, range: null, quote: { exact: "ls" }, lines: null },
  });
  const comments = [written("one", null, null), written("two", "Ann", "one")] as unknown as Annotation[];
  const annotations: RowAnnotations = {
    ...{ places: groupByPlace(comments), isOwners: false, mayAdd: false, toggleBookmark: null },
    comment: () => undefined,
  };
  // Nothing answers before the browser prints.
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  await drawnPage().draw(
    <SessionContext value={page as never}>
      <ThreadStoreContext value={thread as never}>
        <ThreadContext.Provider value={{ sessionId: "s", lane: 0, toggleOpen: () => undefined } as never}>
          <RowAnnotationsContext value={annotations}>
            <PrintedThread file={file as never} />
          </RowAnnotationsContext>
        </ThreadContext.Provider>
      </ThreadStoreContext>
    </SessionContext>,
  );
  await act(async () => void window.dispatchEvent(new Event("beforeprint")));
  const sheet = document.querySelector("[data-print-sheet]");
  expect(sheet?.textContent).toContain("a marmot");
  // Below the row that they are about, with who wrote them and when; of a whole row nothing is repeated.
  const told = [...(sheet?.querySelectorAll("article [aria-label=Comments] > li") ?? [])].map(
    ({ textContent }) => textContent,
  );
  const when = formatFullTime(Date.UTC(2026, 7, 3, 10));
  expect(told).toEqual([
    `Comment · The person who shared this · ${when}Why one?`,
    `Reply · Ann (guest) · ${when}Why two?`,
  ]);
  const rail = sheet?.querySelector("article [aria-label=Comments]")?.previousElementSibling;
  expect(rail?.className, "the spine goes on beside them").toContain("spine");
});
