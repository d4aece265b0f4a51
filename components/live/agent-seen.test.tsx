// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { AgentId, SessionId } from "@/lib/wire/ids";
import { useAgentUnseen, useSeen, type WrittenRows } from "./live-seen";

const SESSION = "s1" as SessionId;

/** A thread's rows, of which the last was written at a time; `write` adds one. */
function makeRows(newestMs: number): WrittenRows & { write: (atMs: number) => void } {
  const listeners = new Set<() => void>();
  let newest = newestMs;
  return {
    newestMs: () => newest,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    write: (atMs) => {
      newest = atMs;
      for (const listener of listeners) listener();
    },
  };
}

function Pane({ agent, rows }: { agent: string | null; rows: WrittenRows | null }) {
  const unseen = useAgentUnseen(SESSION, agent as AgentId | null, null, rows);
  return <output>{`${unseen && unseen.afterMs} ${useSeen(SESSION)}`}</output>;
}

function PaneTimes({ rows }: { rows: WrittenRows }) {
  const unseen = useAgentUnseen(SESSION, "a1" as AgentId, null, rows);
  return <output>{unseen && `after ${unseen.afterMs} until ${unseen.untilMs}`}</output>;
}

const shown = () => document.querySelector("output")?.textContent;
/** What a pane says that opens with these rows, and closes again. */
async function opened(agent: string, rows: WrittenRows): Promise<string | null | undefined> {
  const page = drawnPage();
  await page.draw(<Pane agent={agent} rows={rows} />);
  const text = shown();
  page.leave();
  return text;
}

beforeEach(() => window.localStorage.clear());

it("an agent's thread has been seen up to its last row while it was open, live rows included", async () => {
  const rows = makeRows(100);
  const page = drawnPage();
  await page.draw(<Pane agent="a1" rows={rows} />);
  expect(shown()).toBe("null null");
  await act(async () => rows.write(200));
  page.leave();
  // Written while the pane was closed.
  rows.write(300);
  expect(await opened("a1", rows)).toBe("200 null");
  expect(await opened("a1", rows)).toBe("300 null");
});

it("what was seen of one agent says nothing of another, nor of the session", async () => {
  await opened("a1", makeRows(100));
  expect(await opened("a2", makeRows(50))).toBe("null null");
  expect(await opened("a1", makeRows(100))).toBe("100 null");
});

it("who goes from one agent's thread to another's is told what they had seen of that one", async () => {
  await opened("a2", makeRows(70));
  const page = drawnPage();
  await page.draw(<Pane agent="a1" rows={makeRows(100)} />);
  await page.draw(<Pane agent="a2" rows={null} />);
  await until(() => expect(shown()).toBe("70 null"));
  await page.draw(<Pane agent={null} rows={null} />);
  await until(() => expect(shown()).toBe("null null"));
  page.leave();
});

it("what is written while it is looked at is not new, and what came while the tab was hidden is once they return", async () => {
  vi.useFakeTimers({ now: 1_000, toFake: ["Date"] });
  const rows = makeRows(900);
  await opened("a1", rows);
  const page = drawnPage();
  const write = (atMs: number) =>
    act(async () => {
      vi.setSystemTime(atMs);
      rows.write(atMs);
    });
  const hide = (hidden: boolean) =>
    act(async () => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
  try {
    await page.draw(<PaneTimes rows={rows} />);
    expect(shown()).toBe("after 900 until 1000");
    await write(1_100);
    // Back at once, with nothing new: what was new when it opened still is.
    await hide(true);
    vi.setSystemTime(1_200);
    await hide(false);
    expect(shown()).toBe("after 900 until 1000");
    await hide(true);
    await write(1_300);
    expect(shown()).toBe("after 900 until 1000");
    vi.setSystemTime(1_400);
    await hide(false);
    expect(shown()).toBe("after 1100 until 1400");
    await write(1_500);
    expect(shown()).toBe("after 1100 until 1400");
  } finally {
    vi.useRealTimers();
    Reflect.deleteProperty(document, "hidden");
  }
});

it("in a tab that nobody looks at nothing is seen", async () => {
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  try {
    await opened("a1", makeRows(100));
  } finally {
    Reflect.deleteProperty(document, "hidden");
  }
  expect(await opened("a1", makeRows(100))).toBe("null null");
});
