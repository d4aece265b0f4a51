import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Level } from "@/lib/log/table/kinds";
import { Catalog } from "@/lib/server/library/catalog";
import { scan as scanNow } from "@/lib/server/scan/scanned-session";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { foldsOf } from "./answers/session-rows";
import { SessionCache } from "./session-cache";

const SESSIONS = 6;
const TURNS = 400;
const KEEP_BYTES = 1_500_000;

/** Sessions of as many turns, and how often each was scanned. */
async function openCache() {
  const logs = Array.from({ length: SESSIONS }, (_, n) => {
    const lines = Array.from({ length: TURNS }, (_, turn) => [
      prompt(`${n}-${turn}`, { parentUuid: turn === 0 ? null : `a-${n}-${turn - 1}` }),
      answer(`${n}-${turn}`, { parentUuid: `u-${n}-${turn}` }),
    ]).flat();
    return [`projects/-a/${uuid(n + 1)}.jsonl`, lines];
  });
  const root = makeTree(Object.fromEntries(logs));
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  let scans = 0;
  const scan: typeof scanNow = async (request, onProgress) => {
    scans += 1;
    return scanNow(request, onProgress);
  };
  return { cache: new SessionCache(catalog, { scan }, KEEP_BYTES), scans: () => scans, root };
}

const idOf = (n: number) => uuid(n + 1) as SessionId;

describe("the sessions kept in memory", () => {
  it("stay within their bounds with everything laid out of them, whatever is requested", async () => {
    const { cache } = await openCache();
    const grew: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < SESSIONS; n++) {
        const session = await cache.latest(idOf(n));
        const [branch] = session.graph.branches[0] ?? [];
        if (!branch) throw new Error("no branch");
        const before = session.bytes;
        for (let fold = 0; fold < 12; fold++)
          session.foldedRows(branch, Level.tools, foldsOf([fold]), "", () => () => false);
        grew.push(session.bytes - before);
        await cache.latest(idOf(n));
        expect(cache.bytes).toBeLessThanOrEqual(KEEP_BYTES);
      }
    }
    expect(grew[0]).toBeGreaterThan(12 * TURNS * 13);
  });

  it("are those requested last", async () => {
    const { cache, scans } = await openCache();
    for (let n = 0; n < SESSIONS; n++) await cache.latest(idOf(n));
    const whole = scans();
    expect(whole).toBe(SESSIONS);
    await cache.latest(idOf(SESSIONS - 1));
    expect(scans()).toBe(whole);
    await cache.latest(idOf(0));
    expect(scans()).toBe(whole + 1);
  });

  it("are compared with their logs again, also when the clock was set back in between", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { cache, root } = await openCache();
    await cache.latest(idOf(0));
    appendFileSync(join(root, "projects/-a", `${uuid(1)}.jsonl`), `${JSON.stringify(prompt("more"))}\n`);
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(1_000);
    expect((await cache.latest(idOf(0))).table.records.size).toBe(2 * TURNS + 1);
  });

  it("include the requested one, however large it is", async () => {
    const { cache, scans } = await openCache();
    const session = await cache.latest(idOf(0));
    const [branch] = session.graph.branches[0] ?? [];
    if (!branch) throw new Error("no branch");
    for (let fold = 0; fold < 60; fold++) session.rows(branch, Level.everything, foldsOf([fold]));
    expect(await cache.latest(idOf(0))).toBe(session);
    expect(scans()).toBe(1);
  });
});
