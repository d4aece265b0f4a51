import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import { configFor, openFolder } from "@/lib/testing/transcript";

let dir: string;
let log: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-first-")));
  const project = join(dir, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  log = join(project, `${uuid(1)}.jsonl`);
  writeFileSync(log, toText([prompt("begin")]));
  // A long first reading takes no time here.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

it("changes of the library are told within seconds of a first reading that took ten minutes", async () => {
  const folder = await openFolder(dir);
  const index = openLibraryIndex(null);
  let open = () => undefined as void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const openNow = index.open.bind(index);
  vi.spyOn(index, "open").mockImplementation(() => opened.then(openNow));
  const scanner = new Scanner(folder.catalog, index, new RequestActivity());
  const live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
  const closing = new AbortController();
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const folding = { fold: [], runs: null };
  const of = { session: null, since: null, view, folding, beside: [], signal: closing.signal };
  let told = 0;
  const body = live.open(of);
  void (async () => {
    for await (const piece of body)
      told += new TextDecoder().decode(piece).split("event: session-changed").length - 1;
  })();
  const write = () => {
    appendFileSync(log, toText([prompt("more", { uuid: crypto.randomUUID() })]));
    live.touch(log);
  };
  /** Until something is told, so many steps of a tenth of a second at the most. */
  const isTold = async (before: number, steps: number) => {
    for (let step = 0; step < steps && told === before; step++) {
      await vi.advanceTimersByTimeAsync(100);
      for (let turn = 0; turn < 50; turn++) await new Promise((go) => setImmediate(go));
    }
    return told > before;
  };
  const reading = scanner.begin(Promise.resolve());
  write();
  expect(await isTold(0, 20)).toBe(false);
  await vi.advanceTimersByTimeAsync(600_000);
  open();
  expect(await isTold(0, 100)).toBe(true);
  await reading;
  const before = told;
  write();
  expect(await isTold(before, 100)).toBe(true);
  closing.abort();
  live.stop();
});
