// @vitest-environment page
import { act, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import type { ThreadWindows } from "@/components/thread/thread-windows";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import type { Span } from "@/lib/wire/spans";
import { useRowTexts, useWaterfall } from "./use-waterfall";
import { readSpans } from "./waterfall-model";
import { WaterfallStore } from "./waterfall-store";

/** Steps by name, one a turn: `a3` is turn 3 of branch a; `o3` a call there that has not ended. */
let log: string[] = [];
/** How many of its first turns the server leaves out. */
let turnsLeftOut = 0;
const asked = vi.hoisted(() => [] as (string | null)[]);
vi.mock("@/lib/client/api", () => ({
  api: {
    namedSpans: async (_: string, { only }: { only: string }) => aboutOf(only.split(",")),
    spansPage: async (_: string, { turn, cursor }: { turn: string | null; cursor: string | null }) => {
      if (cursor === null) asked.push(turn);
      const from = turn ? Number.parseInt(turn, 10) : 0;
      const to = turn === null || turn.endsWith("-") ? Number.POSITIVE_INFINITY : from;
      const all = log.map(spanOf).filter((span) => span.turn >= from && span.turn <= to);
      // A page holds three, and the one behind it begins with its last one, as where the log has grown.
      const at = Number(cursor);
      const isLast = at + 3 >= all.length;
      return {
        spans: all.slice(Math.max(0, at - 1), at + 3),
        total: all.length,
        turnsLeftOut,
        nextCursor: isLast ? null : String(at + 3),
      };
    },
  },
}));

/** How many spans' subjects were asked for, a request each. */
const subjectsAsked: number[] = [];
function aboutOf(ids: string[]) {
  subjectsAsked.push(ids.length);
  return ids.map((id) => ({ ...spanOf(id), subject: `about ${id}` }));
}

function spanOf(id: string) {
  const turn = Number(id.slice(1));
  const times = { startMs: turn * 10, endMs: turn * 10 + 5, ...(id.startsWith("o") && { flaw: "open" }) };
  return { id, parentId: null, turn, kind: "model", name: "model", ...times };
}

const listeners = new Set<() => void>();
let revision = 1;
const windows = {
  getSnapshot: () => ({ revision }),
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
} as unknown as ThreadWindows<unknown>;

async function write(steps: string): Promise<void> {
  log = steps.split(" ");
  revision += 1;
  await act(async () => {
    for (const listener of listeners) listener();
  });
}

function Steps() {
  const { model } = useWaterfall("s" as SessionId, null, windows);
  return <output data-left-out={model?.turnsLeftOut}>{model?.spans.map(({ id }) => id).join(" ")}</output>;
}

async function open(steps: string): Promise<void> {
  log = steps.split(" ");
  await drawnPage().draw(<Steps />);
  await isShown(steps);
}

const shown = () => document.querySelector("output")?.textContent;
const isShown = (steps: string) => act(() => vi.waitFor(() => expect(shown()).toBe(steps)));

beforeEach(() => {
  turnsLeftOut = 0;
  asked.length = 0;
  subjectsAsked.length = 0;
});

it("shows the branch that the session goes on with, not the one that was left", async () => {
  await open("a1 a2 a3 a4 a5 a6");
  await write("a1 a2 b3");
  await isShown("a1 a2 b3");
  await write("a1 a2 b3 b4 b5 b6");
  await isShown("a1 a2 b3 b4 b5 b6");
  // As long as the branch that was left, or longer.
  await write("a1 c2 c3 c4 c5 c6 c7");
  await isShown("a1 c2 c3 c4 c5 c6 c7");
  expect(shown()).not.toMatch(/[ab][2-9]/);
});

it("asks for the last turns alone as the session grows", async () => {
  await open("a1 a2 a3 a4");
  await write("a1 a2 a3 a4 a5");
  await isShown("a1 a2 a3 a4 a5");
  expect(asked).toEqual([null, "3-"]);
});

it("of earlier turns it asks for those again in which something has not ended, which may be never", async () => {
  await open("a1 o2 a3 a4 a5");
  await write("a1 o2 a3 a4 a5 a6");
  await isShown("a1 o2 a3 a4 a5 a6");
  await write("a1 a2 a3 a4 a5 a6");
  await isShown("a1 a2 a3 a4 a5 a6");
  expect(asked).toEqual([null, "4-", "2", "5-", "2"]);
});

it("knows how many of the first turns are left out, and asks for all again once the last ones leave out some", async () => {
  const leftOut = () => document.querySelector("output")?.dataset.leftOut;
  turnsLeftOut = 7;
  await open("a8 a9");
  expect(leftOut()).toBe("7");
  turnsLeftOut = 0;
  await write("a8 a9 a10");
  await isShown("a8 a9 a10");
  expect([leftOut(), asked]).toEqual(["7", [null, "8-"]]);
  turnsLeftOut = 9;
  await write("a8 a9 a10 a11");
  await isShown("a8 a9 a10 a11");
  expect([leftOut(), asked.slice(2)]).toEqual(["9", ["9-", null]]);
});

const MODEL = readSpans([]);

/** The subjects of a list of steps as they come. */
function Subjects({ listed }: { listed: Span[] }) {
  const [store] = useState(() => new WaterfallStore());
  const { subjects } = useRowTexts({ sessionId: "s" as SessionId, branch: null }, store, MODEL, listed);
  return <output>{listed.map(({ id }) => subjects.get(id) ?? "?").join(" ")}</output>;
}

it("asks what steps are about, so many at once, until it knows of all that are listed", async () => {
  const steps = Array.from({ length: 250 }, (_, index) => `a${index + 1}`);
  const listed = steps.map(spanOf) as unknown as Span[];
  const page = drawnPage();
  await page.draw(<Subjects listed={listed} />);
  await isShown(steps.map((id) => `about ${id}`).join(" "));
  // What is known is not asked for again, whatever else is listed.
  const others = [...listed, spanOf("b1") as unknown as Span];
  await page.draw(<Subjects listed={others} />);
  await isShown(others.map(({ id }) => `about ${id}`).join(" "));
  expect(subjectsAsked).toEqual([200, 50, 1]);
});
