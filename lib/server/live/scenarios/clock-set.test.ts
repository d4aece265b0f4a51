import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { LiveStates } from "@/lib/server/live/live-states";
import type { RootFolder } from "@/lib/server/runtime/config";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";

const HOUR_MS = 3_600_000;

let dir: string;
let log: string;
let states: LiveStates;
let catalog: Catalog;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-clock-")));
  const project = join(dir, "projects", "-home-dev-my-shop");
  mkdirSync(project, { recursive: true });
  log = join(project, `${uuid(9)}.jsonl`);
  const roots: RootFolder[] = [{ path: dir, kind: "config" }];
  catalog = new Catalog(roots);
  states = new LiveStates(catalog, roots, () => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

/** The last line of a turn, as of now. */
function done(): Record<string, unknown> {
  const line = answer("Done", { timestamp: timestamp() });
  return { ...line, message: { ...(line.message as object), stop_reason: "end_turn" } };
}

const timestamp = () => new Date(Date.now()).toISOString();

/** The clock is set by so much, and time passes in which nothing is written. */
function setClock(byMs: number): void {
  const now = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => now() + byMs);
  states.tick();
}

const standing = () => states.recent().map(({ state, gone }) => (gone ? `${state}, gone` : state));

describe.each([
  ["forward", 2 * HOUR_MS],
  ["back", -2 * HOUR_MS],
])("a clock that is set %s while a client runs that registers nothing", (_, byMs) => {
  it("ends no session that waits for its person", async () => {
    writeFileSync(log, toText([prompt("Test it", { timestamp: timestamp() }), done()]));
    await begin();
    expect(standing()).toEqual(["idle"]);
    setClock(byMs);
    expect(standing()).toEqual(["idle"]);
  });

  it("breaks off no turn, whose next line is as young as it says", async () => {
    writeFileSync(log, toText([prompt("Test it", { timestamp: timestamp() })]));
    await begin();
    setClock(byMs);
    expect(standing()).toEqual(["running"]);
    appendFileSync(log, toText([done()]));
    const [state] = states.recent();
    if (state) await states.check(state.sessionId);
    expect(standing()).toEqual(["idle"]);
    states.tick();
    expect(standing()).toEqual(["idle"]);
  });
});

async function begin(): Promise<void> {
  await catalog.list();
  await states.start();
}
