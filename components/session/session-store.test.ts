import { describe, expect, it, vi } from "vitest";
import { parseThreadUrl, type ThreadUrl } from "@/lib/client/address/session-url";
import { choiceOf, FakeServer, many, opened } from "@/lib/testing/fake-thread";
import type { RecordId } from "@/lib/wire/ids";
import { SessionStore } from "./session-store";

/** A page at an address, whose thread shows prompts alone where its reader wants that. `written`: what it changes, and how. */
async function pageAt(search: string, shows: "tools" | "prompts" = "tools") {
  const { store: thread } = await opened(new FakeServer({ tools: many(5), prompts: many(5) }));
  thread.show(choiceOf(shows), { at: null });
  let url: ThreadUrl = parseThreadUrl(search);
  const written: [Partial<ThreadUrl>, string | undefined][] = [];
  const page = new SessionStore(thread, {
    get: () => url,
    set: (change, how) => {
      url = { ...url, ...change };
      written.push([change, how]);
    },
  });
  return { page, written };
}

const recordId = "m~1" as RecordId;
const step = { recordId, block: 0, tool: "Read", agentId: null, branch: null, turn: 1 };
const span = { recordId, block: 0, kind: "tool" } as const;

/** The ways out of what stands in the thread's place to a row of it. */
const WAYS: [name: string, view: string, leave: (page: SessionStore) => void][] = [
  ["a request", "context", (page) => page.views.leaveForRequest({ recordId, agentId: null }, false)],
  ["a compared row", "compare", (page) => page.views.leaveForStep(step)],
  ["a file's version", "changes", (page) => page.views.leaveForStep(step)],
  ["a step of the waterfall", "waterfall", (page) => page.views.leaveForSpan(span as never)],
];

describe("a row that is gone to from a view", () => {
  it.each(WAYS)("is an entry of its own, so that Back leads to the view: %s", async (_, view, leave) => {
    const { page, written } = await pageAt(`?view=${view}`);
    leave(page);
    expect(written).toMatchObject([[{ view: null, at: expect.stringMatching(/^m~1/) }, "push"]]);
  });

  it.each(WAYS)("is shown where the reader's own detail leaves calls out: %s", async (_, view, leave) => {
    const { page, written } = await pageAt(`?view=${view}`, "prompts");
    leave(page);
    expect(written[0]?.[0].detail).toBe("tools");
  });
});

it("a place that is gone to from a dialog over the thread is no entry", async () => {
  const { page, written } = await pageAt("");
  page.views.leaveForStep(step);
  expect(written.map(([, how]) => how)).toEqual([undefined]);
});

it("a link to an inspected record shows it as the one who copied it saw it, and another inspector begins with the facts", async () => {
  const { page, written } = await pageAt("?panes=record:m~1&record=raw");
  page.panes.inspect("m~2" as RecordId);
  expect(written.at(-1)?.[0]).toEqual({ panes: "record:m~2", record: "raw" });
  page.panes.closeInspector();
  expect(written.at(-1)?.[0]).toEqual({ panes: null, record: null });
  const { page: after, written: later } = await pageAt("?record=raw");
  after.panes.inspect(recordId);
  expect(later.at(-1)?.[0]).toEqual({ panes: "record:m~1", record: null });
});

it("changes take the comments along where both have room, and stand alone on a narrow page", async () => {
  const panesOf = async (isNarrow: boolean) => {
    vi.stubGlobal("matchMedia", () => ({ matches: isNarrow }));
    const { page, written } = await pageAt("?panes=agent:a1,comments");
    page.views.openChanges(null);
    return written.at(-1)?.[0].panes;
  };
  expect(await panesOf(false)).toBe(undefined);
  expect(await panesOf(true)).toBe("agent:a1");
});

it("comments take text of the thread and of all changes, not of a file's versions or another view", async () => {
  const takes = async (search: string) => (await pageAt(search)).page.views.takesComments();
  expect(await takes("")).toBe(true);
  expect(await takes("?view=changes")).toBe(true);
  expect(await takes("?view=changes&file=a.ts")).toBe(false);
  expect(await takes("?view=waterfall")).toBe(false);
});
