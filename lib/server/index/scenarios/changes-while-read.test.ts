import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { placesOf } from "@/lib/server/index/chunk";
import { openIndexFile } from "@/lib/server/index/index-file";
import { IndexStore } from "@/lib/server/index/index-store";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { fixtureFolder } from "@/lib/testing/recorded";
import { runs, seededRandom } from "@/lib/testing/runs";

/** Called before each read of a log, and how many bytes that one gets at the most. */
const reading = vi.hoisted(() => ({ before: (): void => undefined, most: Number.POSITIVE_INFINITY }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const readSync: typeof real.readSync = (...args: unknown[]) => {
    const [descriptor, buffer, offset, length, position] = args as [number, Buffer, number, number, number];
    reading.before();
    return real.readSync(descriptor, buffer, offset, Math.min(length, reading.most), position);
  };
  return { ...real, readSync };
});

const FIXTURES = fixtureFolder();
/** Of each change. The last bit of a round's number says of which version it is, the next one whether its logs were read before. */
const ROUNDS = runs(2, 100);
/** `npm test` has two rounds that differ in both: 0 and 3 of one change, 1 and 2 of the next. */
const roundOf = (nth: number, change: number) => (nth * runs(3, 1)) ^ (change % runs(2, 1));
const MAX_BYTES_A_READ = 6000;
/** The change comes before a read up to this one: few rounds must all come to it. */
const LAST_READ = runs(20, 120);

/** What happens to a log, or to its whole project, while it is read. */
const CHANGES = {
  "is truncated": (log) => fs.truncateSync(log.path, log.random(fs.statSync(log.path).size)),
  "is truncated and grows past its old size": (log) => {
    const bytes = fs.readFileSync(log.path);
    fs.truncateSync(log.path, log.random(200));
    fs.appendFileSync(log.path, Buffer.concat([Buffer.from("\n"), log.other(), bytes]));
  },
  "is written over in place": (log) => fs.writeFileSync(log.path, log.other()),
  "is replaced by another": (log) => {
    fs.writeFileSync(`${log.path}.new`, log.other());
    fs.renameSync(`${log.path}.new`, log.path);
  },
  "is deleted": (log) => fs.rmSync(log.path),
  "is deleted and begun anew": (log) => {
    fs.rmSync(log.path);
    fs.writeFileSync(log.path, log.other());
  },
  "is moved away and back": (log) => {
    fs.renameSync(log.path, `${log.path}.away`);
    log.later(() => fs.renameSync(`${log.path}.away`, log.path));
  },
  "is renamed": (log) => fs.renameSync(log.path, join(dirname(log.path), log.newName())),
  "loses its folder's name": (log) => {
    const folder = dirname(log.path);
    fs.renameSync(folder, join(dirname(folder), `-renamed-${log.random(1e6)}`));
  },
  "loses its folder": (log) => fs.rmSync(dirname(log.path), { recursive: true }),
  grows: (log) => fs.appendFileSync(log.path, log.other()),
} satisfies Record<string, (log: ChangedLog) => void>;

type ChangedLog = {
  path: string;
  random(below: number): number;
  /** Lines of another log. */
  other(): Buffer;
  newName(): string;
  later(work: () => void): void;
};

it.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])(
  "a log that %s while it is read ends in the index as a cold reading has it",
  async (change) => {
    const folder = fs.mkdtempSync(join(tmpdir(), "backscroll-races-"));
    onTestFinished(() => {
      Object.assign(reading, { before: () => undefined, most: Number.POSITIVE_INFINITY });
      fs.rmSync(folder, { recursive: true, force: true });
    });
    const numberOfChange = Object.keys(CHANGES).indexOf(change);
    const random = seededRandom(numberOfChange + 1);
    const spare = logsIn(join(FIXTURES, "2.1.330"));

    let changed = 0;
    for (let nth = 0; nth < ROUNDS; nth++) {
      const round = roundOf(nth, numberOfChange);
      const tree = join(folder, `claude-${round}`);
      const [data, cold] = [join(folder, `data-${round}`), join(folder, `cold-${round}`)];
      fs.cpSync(join(FIXTURES, ["2.0.76", "2.1.42"][round % 2]!), tree, { recursive: true });
      for (const dir of [data, cold]) fs.mkdirSync(dir);
      const catalog = new Catalog([{ path: tree, kind: "config" }]);
      await catalog.list();
      const index = openLibraryIndex(data);
      onTestFinished(() => index.stop());
      const scanner = new Scanner(catalog, index, new RequestActivity());
      // Half of the rounds read on in logs that have grown, half read all for the first time.
      if (round % 4 > 1) {
        await scanner.run();
        for (const path of logsIn(tree)) fs.appendFileSync(path, fs.readFileSync(path));
        await catalog.list();
      }

      const later: (() => void)[] = [];
      let reads = 0;
      const at = random(LAST_READ);
      reading.most = 1 + random(MAX_BYTES_A_READ);
      reading.before = () => {
        if (reads++ !== at) return;
        changed += 1;
        const logs = logsIn(tree);
        // Of those that are open now, if the system tells which; else any.
        const path = openLog(logs) ?? logs[random(logs.length)]!;
        CHANGES[change]({
          path,
          random,
          other: () => fs.readFileSync(spare[random(spare.length)]!),
          newName: () => `00000000-0000-4000-8000-${String(random(1e6)).padStart(12, "0")}.jsonl`,
          later: (work) => later.push(work),
        });
      };
      await scanner.run();
      reading.before = () => undefined;
      for (const work of later) work();
      // As the server does when a change is reported.
      await catalog.list();
      await scanner.run();
      const shown = catalog.summaries();
      index.stop();

      const expected = await readAll(tree, cold);
      expect(shown.map(summaryOf).sort(), `round ${round}`).toEqual(expected);
      // The index itself: as it is after the next start, which reads nothing that it holds.
      expect(await readAll(tree, data), `round ${round}`).toEqual(expected);
      expect(contentOf(data), `round ${round}`).toEqual(contentOf(cold));
    }
    expect(changed).toBeGreaterThanOrEqual(ROUNDS / 2);
  },
);

/** A start: what the library shows in its end. */
async function readAll(tree: string, dataDir: string): Promise<string[]> {
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const index = openLibraryIndex(dataDir);
  await new Scanner(catalog, index, new RequestActivity()).run();
  index.stop();
  return catalog.summaries().map(summaryOf).sort();
}

const summaryOf = (summary: object) => JSON.stringify(summary);

function logsIn(tree: string): string[] {
  return fs
    .readdirSync(tree, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".jsonl"))
    .map((path) => join(tree, path))
    .sort();
}

/** The log that this process reads just now. */
function openLog(logs: readonly string[]): string | undefined {
  if (process.platform !== "linux") return undefined;
  const open = fs.readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      return [fs.readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return []; // the one that listed the folder
    }
  });
  return logs.find((path) => open.includes(fs.realpathSync(path)));
}

/** All that an index holds, in an order that does not depend on when it was read. */
function contentOf(dataDir: string): object[] {
  const file = openIndexFile(dataDir);
  if (!file.database) throw new Error("no index");
  const { database } = file;
  const sessions = new IndexStore(database).entries().map(({ row, entry }) => {
    const chunks = database.prepare("SELECT places, texts FROM chunks WHERE session = ?").all(row);
    const texts = (chunks as { places: string; texts: Uint8Array }[]).flatMap(({ places, texts: bytes }) =>
      placesOf(places).map(({ file: log, offset, block, from, to }) => {
        const text = Buffer.from(bytes.subarray(from, to)).toString();
        return `${log} ${String(offset).padStart(9)} ${block}: ${text}`;
      }),
    );
    return { name: basename(entry.files[0]?.path ?? ""), entry, texts: texts.sort() };
  });
  file.close();
  return sessions.sort((a, b) => (a.name < b.name ? -1 : 1));
}
