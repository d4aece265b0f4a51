import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { EventStream, encodeEvent } from "@/lib/server/live/event-stream";
import { SessionFeed } from "@/lib/server/live/session-feed";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { rowsOf } from "@/lib/server/session/answers/session-rows";
import type { OpenSession } from "@/lib/server/session/open-session";
import { type Op, WrittenSession } from "@/lib/testing/model/live-model";
import { sampled } from "@/lib/testing/runs";
import { type OpenFolder, openFolder } from "@/lib/testing/transcript";
import type { AgentId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import type { Row } from "@/lib/wire/rows";

const SEQUENCES = sampled(20_261_121, 60, 20_000);
/** Rows further up are renewed by the page when it shows them. */
const LOOK_BACK_ROWS = 24;

const MAIN: LiveView = { branch: null, agent: null, detail: "everything", fold: "", runs: null };
const AGENT: LiveView = { ...MAIN, agent: "a11a11a" as AgentId };
const ALL = {
  branch: null,
  detail: "everything",
  fold: [],
  from: 0,
  count: 1_000_000,
  around: null,
} as const;

const count = fc.integer({ min: 1, max: 6 });
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("write" as const), writer: fc.nat(1), lines: count }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("tear" as const),
      cut: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: "mend" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("agent" as const), lines: count }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("truncate" as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("goBack" as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("rotate" as const), lines: count }) },
  { weight: 1, arbitrary: fc.constant({ do: "remove" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "rename" as const }) },
  { weight: 2, arbitrary: fc.constant({ do: "before" as const }) },
  { weight: 2, arbitrary: fc.constant({ do: "after" as const }) },
);

type Shown = { view: LiveView; rows: (Row | undefined)[]; revision: number };

/** A page that shows two threads of a session on one stream: it takes in what it is told, and asks for the rest. */
class Reader {
  readonly threads: Shown[] = [MAIN, AGENT].map((view) => ({ view, rows: [], revision: 0 }));
  readonly #stream = new EventStream(new AbortController().signal, () => undefined);
  readonly #reader = this.#stream.body.getReader();
  readonly #decoder = new TextDecoder();

  constructor(
    readonly folder: OpenFolder,
    readonly written: WrittenSession,
    readonly feed: SessionFeed,
  ) {}

  async open(): Promise<void> {
    for (const thread of this.threads) {
      await this.feed.join(this.#stream, thread.view, { fold: [], runs: null });
      await this.#askForAll(thread);
    }
  }

  async takeAll(): Promise<void> {
    for (const event of await this.#told()) {
      if (event.kind === "reset") for (const thread of this.threads) await this.#askForAll(thread);
      const thread =
        event.kind === "rows" && this.threads.find(({ view }) => view.agent === event.view.agent);
      if (event.kind !== "rows" || !thread || event.revision <= thread.revision) continue;
      if (event.since > thread.revision) {
        await this.#askForAll(thread);
        continue;
      }
      thread.rows.length = event.total;
      thread.rows.fill(undefined, event.stable);
      for (const [index, row] of event.rows) thread.rows[index] = row;
      thread.revision = event.revision;
    }
    for (const thread of this.threads) if (thread.rows.includes(undefined)) await this.#askForAll(thread);
  }

  async #told(): Promise<LiveEvent[]> {
    this.#stream.send(encodeEvent({ kind: "sessions-changed" }, null));
    let text = "";
    while (!text.endsWith('{"kind":"sessions-changed"}\n\n'))
      text += this.#decoder.decode((await this.#reader.read()).value, { stream: true });
    return text
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)) as LiveEvent);
  }

  async #askForAll(thread: Shown): Promise<void> {
    const answer = await allRows(await latestOf(this.folder), thread.view);
    thread.rows = answer?.rows ?? [];
    thread.revision = answer?.revision ?? 0;
  }
}

/** `null` where there is no session, or no such agent in it yet. */
async function allRows(session: OpenSession | null, { agent }: LiveView) {
  const there = session?.graph.threads.some((thread) => thread.agentId === agent);
  return session && there ? rowsOf(session, { ...ALL, agent, fold: [] }) : null;
}

const ID = "5e551011-0000-4000-8000-000000000000" as Parameters<OpenFolder["sessions"]["latest"]>[0];

async function latestOf({ catalog, sessions }: OpenFolder) {
  try {
    // Sessions with lines of this one, or whose lines this one has, are read first: then it says what they are.
    for (const { id } of catalog.summaries()) if (id !== ID) await sessions.latest(id);
    return await sessions.latest(ID);
  } catch (error) {
    if (isViewerError(error)) return null;
    throw error;
  }
}

const dirs: string[] = [];
afterAll(() => {
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
});

async function play(ops: Op[]): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-live-"));
  dirs.push(dir);
  const written = new WrittenSession(dir);
  const live = await openFolder(dir);
  const reader = new Reader(live, written, new SessionFeed(ID, live.sessions.latest, () => null));
  await reader.open();
  for (const one of ops) {
    written.run(one);
    await live.catalog.list();
    await latestOf(live);
    await reader.feed.update();
    await reader.takeAll();
    const cold = await latestOf(await openFolder(dir));
    for (const { view, rows } of reader.threads) {
      const coldRows = (await allRows(cold, view))?.rows ?? [];
      expect(rows.map(facts), JSON.stringify([one, view.agent])).toEqual(coldRows.map(facts));
      const from = Math.max(0, coldRows.length - LOOK_BACK_ROWS);
      expect(rows.slice(from)).toEqual(coldRows.slice(from));
    }
  }
  rmSync(dir, { recursive: true, force: true });
}

/** What a row is, and of which other session it says that it belongs there: right wherever it stands. */
function facts(row: Row | undefined) {
  return [row?.key, row?.carried, row?.kind === "context" ? row.label : null];
}

describe("a session that is written while it is read", () => {
  it(`is what a cold reading gives, after each step of ${SEQUENCES.numRuns} sequences`, async () => {
    await fc.assert(fc.asyncProperty(fc.array(op, { minLength: 1, maxLength: 7 }), play), SEQUENCES);
  });
});
