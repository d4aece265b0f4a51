import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { idOf, openFolder } from "@/lib/testing/transcript";
import type { AgentId } from "@/lib/wire/ids";
import type { LiveEvent, LiveView } from "@/lib/wire/live";
import { LiveReaders } from "./live-readers";
import { LiveStates } from "./live-states";

const BEFORE = "be40e000-0000-4000-8000-000000000000";
const AFTER = "af7e4000-0000-4000-8000-000000000000";
const dir = mkdtempSync(join(tmpdir(), "backscroll-neighbours-"));
const project = join(dir, "projects", "-home-dev-shop");
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function line(n: number, parent: number | null, content: unknown): string {
  const uuid = (of: number) => `00000000-0000-4000-8000-${String(of).padStart(12, "0")}`;
  return `${JSON.stringify({
    type: "user",
    uuid: uuid(n),
    parentUuid: parent === null ? null : uuid(parent),
    timestamp: new Date(1_760_000_000_000 + n * 1000).toISOString(),
    cwd: "/home/dev/shop",
    version: "2.1.42",
    message: { role: "user", content },
  })}\n`;
}

/** What is told on a stream. */
async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of stream) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((one) => one.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6)) as LiveEvent;
    }
  }
}

async function next<Kind extends LiveEvent["kind"]>(events: AsyncGenerator<LiveEvent>, kind: Kind) {
  for (;;) {
    const { value } = await events.next();
    if (!value) throw new Error(`The stream has ended without ${kind}`);
    if (value.kind === kind) return value as Extract<LiveEvent, { kind: Kind }>;
  }
}

test("a reader that has gone before its stream was there is no error, and is not counted", async () => {
  mkdirSync(project, { recursive: true });
  const folder = await openFolder(dir);
  const states = new LiveStates(folder.catalog, [], () => undefined);
  const readers = new LiveReaders(folder.catalog, folder.sessions, states);
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const folding = { fold: [], runs: null };
  const signal = AbortSignal.abort();
  const stream = readers.open({ session: null, since: null, view, folding, beside: [], signal });
  expect(readers.isAny).toBe(false);
  expect(await stream.getReader().read()).toMatchObject({ done: true });
});

test("a reader is told when the session before the one that is read gets another title", async () => {
  mkdirSync(project, { recursive: true });
  const before = join(project, `${BEFORE}.jsonl`);
  writeFileSync(before, line(1, null, "plan the shop"));
  const after = Array.from({ length: 60 }, (_, n) => line(n + 3, n === 0 ? null : n + 2, `prompt ${n}`));
  writeFileSync(
    join(project, `${AFTER}.jsonl`),
    line(2, 1, [{ type: "text", text: "[Request interrupted by user for tool use]" }]) + after.join(""),
  );
  const folder = await openFolder(dir);
  const states = new LiveStates(folder.catalog, [], () => undefined);
  const readers = new LiveReaders(folder.catalog, folder.sessions, states);
  const id = idOf(folder, AFTER);
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const close = new AbortController();
  const stream = readers.open({
    session: id,
    since: null,
    view,
    folding: { fold: [], runs: null },
    beside: [],
    signal: close.signal,
  });
  const events = eventsOf(stream);
  await next(events, "session-changed");
  // The session before is opened as well, and known from then on.
  await folder.sessions.latest(idOf(folder, BEFORE));
  await readers.update(id);
  const title = { type: "custom-title", customTitle: "The shop", sessionId: BEFORE };
  appendFileSync(before, `${JSON.stringify(title)}\n`);
  await folder.catalog.list();
  await readers.update(idOf(folder, BEFORE));
  const event = await next(events, "rows");
  // Far above the end, where rows are not told again for any other reason.
  expect(event.rows.map(([index, row]) => [index, row.carried?.title])).toContainEqual([0, "The shop"]);
  expect([event.stable, event.rows.length]).toEqual([event.total, expect.any(Number)]);
  close.abort();
});

test("a session is followed no longer when its readers have gone, one of them before its agents' threads were there", async () => {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, `${BEFORE}.jsonl`), line(1, null, "plan the shop"));
  const folder = await openFolder(dir);
  const states = new LiveStates(folder.catalog, [], () => undefined);
  /** Each reading of the session waits until it is let go on. */
  const readings: (() => void)[] = [];
  const latest: typeof folder.sessions.latest = async (id) => {
    await new Promise<void>((resolve) => readings.push(resolve));
    return folder.sessions.latest(id);
  };
  const readers = new LiveReaders(folder.catalog, { ...folder.sessions, latest }, states);
  const folding = { fold: [], runs: null };
  const main = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const view = { ...main, agent: "a1" as AgentId };
  const open = (beside: { view: LiveView; folding: typeof folding }[], { signal }: AbortController) =>
    readers.open({ session: idOf(folder, BEFORE), since: null, view: main, folding, beside, signal });
  const [one, other] = [new AbortController(), new AbortController()];
  open([{ view, folding }], one);
  open([], other);
  await vi.waitFor(() => expect(readings).toHaveLength(2));
  one.abort();
  for (const goOn of readings) goOn();
  await wait(30);
  other.abort();
  for (const goOn of readings) goOn();
  await wait(30);
  expect([readers.isAny, readers.followed]).toEqual([false, []]);
});
