import { cpSync, mkdirSync, statSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { KeptFileReader } from "@/lib/server/archive/kept-file-reader";
import { FolderStore } from "@/lib/server/archive/store/folder-store";
import { LogWriter } from "@/lib/testing/log-writer";
import type { SessionsResponse } from "@/lib/wire/library";
import { sessionCorpus, treeCorpus } from "../harness/corpus";
import { formatMegabytes, formatMs } from "../harness/format";
import { limitRow, timeRow } from "../harness/judge";
import type { Bench, Row, Section } from "../harness/section";
import { type BenchServer, untilKept, untilScanned, withDataDir, withServer } from "../harness/server";
import { percentile } from "../harness/statistics";

/** What keeping everything may add to reading it for the first time, and what it may take of the disk. */
const MAX_ADDED = 0.25;
const MAX_STORED = 0.25;
const MAX_UNTIL_KEPT_MS = 5_000;
const LOOK_MS = 20;

/** Keeping every log for the first time, against reading them with nothing kept, and how much that stores; new lines. */
export const archive: Section = {
  name: "archive",
  async run(bench) {
    // All rounds' files stay until the end: where many were deleted just now, a file system makes new ones slowly.
    return withDataDir(async (folder) => [...(await fill(bench, folder)), await newLines(bench, folder)]);
  },
};

async function fill(bench: Bench, folder: string): Promise<Row[]> {
  const { dir, truth } = treeCorpus(bench, bench.quick ? 16 << 20 : 256 << 20);
  const added: number[] = [];
  const stored: number[] = [];
  for (let round = 0; round < (bench.quick ? 1 : 3); round++) {
    const alone = join(folder, `alone-${round}`);
    const dataDir = join(folder, `round-${round}`);
    for (const made of [alone, dataDir]) mkdirSync(made, { mode: 0o700 });
    // Keeping begins beside the reading, which then takes longer itself.
    const nothingKept = { claudeDirs: [dir], dataDir: alone, flags: ["--no-archive"] };
    const scannedMs = await withServer(nothingKept, untilScanned);
    await withServer({ claudeDirs: [dir], dataDir }, async (server) => {
      await untilScanned(server);
      const { keptMs, bytes, storedBytes } = await untilKept(server);
      added.push((keptMs - scannedMs) / scannedMs);
      stored.push(storedBytes / bytes);
      const sizes = `${formatMegabytes(bytes)} in ${formatMegabytes(storedBytes)}`;
      bench.say(`scanned ${formatMs(scannedMs)}, kept ${formatMs(keptMs)}, ${sizes}`);
    });
  }
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  return [
    {
      ...limitRow("keeping all, on top of reading it, cold", added, MAX_ADDED, percent),
      note: `${truth.sessions.length} sessions`,
    },
    limitRow("stored, of what the logs are", stored, MAX_STORED, percent),
  ];
}

/** Appends lines while a page follows their session, and waits for each until the archive's own bytes hold it. */
async function newLines(bench: Bench, folder: string): Promise<Row> {
  const { dir, truth } = sessionCorpus(bench, { bytes: 1_000_000 });
  const claudeDir = join(folder, "claude");
  const dataDir = join(folder, "live");
  cpSync(dir, claudeDir, { recursive: true });
  mkdirSync(dataDir, { mode: 0o700 });
  const samples: number[] = [];
  await withServer({ claudeDirs: [claudeDir], dataDir }, async (server) => {
    await untilScanned(server);
    await untilKept(server);
    const list = await server.get<SessionsResponse>("/api/sessions?limit=1");
    const [session] = list?.sessions ?? [];
    if (!session) throw new Error("no session");
    const stop = await follow(server, session.id);
    const path = join(claudeDir, truth.path);
    const writer = new LogWriter(path);
    const reader = new KeptFileReader(new FolderStore(join(dataDir, "archive")));
    for (let round = 0; round < (bench.quick ? 3 : 20); round++) {
      const startedAtMs = performance.now();
      writer.say(`line ${round}`);
      const { size } = statSync(path);
      while ((reader.find(path)?.bytes ?? 0) < size) await wait(LOOK_MS);
      samples.push(performance.now() - startedAtMs);
      // Lines do not come at the same moment of the second in which those that come together are kept together.
      await wait(Math.random() * 1_000);
    }
    stop();
  });
  const row = timeRow(
    "a line appended to a followed session kept, p95",
    [percentile(samples, 0.95)],
    MAX_UNTIL_KEPT_MS,
  );
  return { ...row, samples: samples.length };
}

/** Opens a session's stream as a page does, and returns what closes it. */
function follow(server: BenchServer, id: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` };
    const request = get(`${server.url}/api/events?session=${id}`, { headers, agent: false }, (answer) => {
      answer.on("error", () => undefined); // closed by us at the end
      answer.resume();
      resolve(() => answer.destroy());
    });
    request.once("error", reject);
  });
}
