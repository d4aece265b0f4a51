import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WhyResponse } from "@/lib/wire/files";
import { withBrowser, withPage } from "../../harness/browser";
import { treeCorpus } from "../../harness/corpus";
import { formatMs } from "../../harness/format";
import { limitRow, timeRow } from "../../harness/judge";
import type { Bench, Row, Section } from "../../harness/section";
import { type BenchServer, untilKept, untilScanned, withDataDir, withServer } from "../../harness/server";
import { percentile } from "../../harness/statistics";
import { traceFrames } from "../../harness/trace-frames";

/** Why a line is in a file, asked over a gigabyte of logs, and a file that was changed 500 times: asked for, and gone through. */
export const why: Section = {
  name: "why",
  async run(bench) {
    const { dir } = treeCorpus(bench, bench.quick ? 16 << 20 : 1 << 30);
    const lines = writtenLines(join(dir, "projects"), bench.quick ? 5 : 40);
    const rows = await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        const scannedMs = await untilScanned(server);
        // On two cores that follows the reading, and a question is not measured beside it.
        await untilKept(server);
        bench.say(`indexed in ${formatMs(scannedMs)}, asking for ${lines.length} lines`);
        return askForLines(server, lines);
      }),
    );
    const versions = bench.quick ? 50 : 500;
    const changed = versionedCorpus(bench, versions);
    return [
      ...rows,
      await manyVersions(changed, versions, bench.quick ? 1 : 5),
      ...(await goneThrough(changed, versions)),
    ];
  },
};

async function askForLines(server: BenchServer, lines: readonly string[]): Promise<Row[]> {
  const samples: number[] = [];
  let found = 0;
  for (const line of lines) {
    const startedAtMs = performance.now();
    const answer: WhyResponse | null = await server.get(`/api/why?text=${encodeURIComponent(line)}`);
    samples.push(performance.now() - startedAtMs);
    if (answer?.origin) found += 1;
  }
  const share = (100 * found) / lines.length;
  return [
    { ...timeRow("why p95", [percentile(samples, 0.95)], 1000), samples: samples.length },
    timeRow("why, the first since the start", samples.slice(0, 1), 1000),
    {
      label: "why, lines with their origin",
      budget: "100 %",
      measured: `${share.toFixed(1)} %`,
      samples: lines.length,
      ratio: null,
      ok: found === lines.length,
    },
  ];
}

type Block = { type?: string; name?: string; input?: Record<string, unknown> };
type Line = { type?: string; message?: { content?: Block[] } };

/** Lines that edits and writes of the corpus brought, from logs that lie evenly in it, each where the next one is. */
function writtenLines(projects: string, most: number): string[] {
  const logs = readdirSync(projects, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  const step = Math.max(1, Math.floor(logs.length / most));
  const found: string[] = [];
  for (let at = 0; at < logs.length && found.length < most; at++) {
    const line = readFileSync(join(projects, logs[at] ?? ""), "utf8")
      .split("\n")
      .filter((text) => /"name":"(?:Edit|Write)"/.test(text))
      .flatMap((text) => linesOf(JSON.parse(text) as Line))[0];
    if (line === undefined) continue;
    found.push(line);
    at = Math.max(at, found.length * step - 1);
  }
  return found;
}

function linesOf({ message }: Line): string[] {
  const blocks = Array.isArray(message?.content) ? message.content : [];
  return blocks
    .flatMap(({ type, input }) => (type === "tool_use" ? [input?.new_string ?? input?.content] : []))
    .flatMap((text) => (typeof text === "string" ? text.split("\n") : []))
    .map((line) => line.trim())
    .filter((line) => line.length >= 16 && line.length < 200);
}

const PATH = "/home/dev/shop/src/cart.ts";
const FRAME_MS = 8;
const FRAMES = 150;
const SESSION = "00000000-0000-4000-8000-000000000500";

/** A folder with the log of a session that changed a file so many times. */
function versionedCorpus(bench: Bench, versions: number): string {
  const dir = join(bench.cache, `versions-${versions}`);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(join(dir, "projects", "-home-dev-shop"), { recursive: true });
  writeFileSync(join(dir, "projects", "-home-dev-shop", `${SESSION}.jsonl`), editedLog(versions));
  return dir;
}

/** A file of so many versions: the list, one in the middle, and who wrote its lines, each asked of a server that has just begun. */
async function manyVersions(dir: string, versions: number, runs: number): Promise<Row> {
  const path = `path=${encodeURIComponent(PATH)}`;
  const samples: number[] = [];
  for (let run = 0; run < runs; run++) {
    await withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilScanned(server);
        // Read once, as it is when a reader opens one of its files.
        while ((await server.get(`/api/sessions/${SESSION}`)) === null);
        const startedAtMs = performance.now();
        const list: unknown[] | null = await server.get(`/api/sessions/${SESSION}/file-versions?${path}`);
        await server.get(`/api/sessions/${SESSION}/file?${path}`);
        await server.get(`/api/sessions/${SESSION}/blame?${path}`);
        samples.push(performance.now() - startedAtMs);
        if (list?.length !== versions) throw new Error(`${list?.length} versions instead of ${versions}`);
      }),
    );
  }
  return timeRow(`a file with ${versions} versions, with blame`, samples, 200);
}

/** The page's work while a reader drags through the versions, as fast as frames come and slowly enough to see each. */
async function goneThrough(dir: string, versions: number): Promise<Row[]> {
  return withDataDir((dataDir) =>
    withServer({ claudeDirs: [dir], dataDir }, async (server) => {
      await untilScanned(server);
      return withBrowser((browser) =>
        withPage(browser, async (page, cdp) => {
          const file = `view=changes&file=${encodeURIComponent(PATH)}`;
          await page.goto(`${server.url}/sessions/${SESSION}?${file}#t=${server.token}`);
          await page.getByRole("region", { name: "The file" }).locator("[data-line]").first().waitFor();
          await page.waitForTimeout(1500);
          const rows: Row[] = [];
          for (const [how, pauseMs] of [
            ["dragged through", 0],
            ["stepped through", 100],
          ] as const) {
            const { framesMs } = await traceFrames(cdp, () =>
              page.evaluate(dragOverVersions, { frames: FRAMES, pauseMs }),
            );
            rows.push({
              ...limitRow(
                `${versions} versions ${how}: work a frame, p95`,
                [percentile(framesMs, 0.95)],
                FRAME_MS,
                formatMs,
              ),
              samples: framesMs.length,
            });
          }
          return rows;
        }),
      );
    }),
  );
}

/** Runs in the page: one move over the scrubber a frame, from its end to the beginning. */
async function dragOverVersions({ frames, pauseMs }: { frames: number; pauseMs: number }): Promise<void> {
  const track = document.querySelector('[role="slider"][aria-label="Version"]');
  if (!track) throw new Error("no versions");
  const { left, top, width, height } = track.getBoundingClientRect();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < frames; i++) {
    const clientX = left + width * (1 - (i + 0.5) / frames);
    const place = { clientX, clientY: top + height / 2, buttons: 1, bubbles: true };
    track.dispatchEvent(new PointerEvent("pointermove", place));
    const nextAtMs = performance.now() + pauseMs;
    do await frame();
    while (performance.now() < nextAtMs);
  }
}

/** A session that writes a file and then changes a line of it again and again. */
function editedLog(versions: number): string {
  const text = Array.from({ length: 400 }, (_, at) => `const value${at} = ${at};`);
  const lines: object[] = [];
  let parentUuid: string | null = null;
  const add = (line: object) => {
    const uuid = `u${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 0, 2) + lines.length * 1000).toISOString();
    lines.push({ uuid, parentUuid, timestamp, sessionId: SESSION, cwd: "/home/dev/shop", ...line });
    parentUuid = uuid;
  };
  const call = (name: string, input: object, toolUseResult: object) => {
    const id = `t${lines.length}`;
    add({ type: "assistant", message: { id: `m${id}`, content: [{ type: "tool_use", id, name, input }] } });
    const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
    add({ type: "user", message: { role: "user", content }, toolUseResult });
  };
  add({ type: "user", message: { role: "user", content: "begin" } });
  const content = text.join("\n");
  const created = { type: "create", filePath: PATH, content, structuredPatch: [] };
  call("Write", { file_path: PATH, content }, created);
  for (let version = 1; version < versions; version++) {
    const at = (version * 37) % text.length;
    const [was = "", is] = [text[at], `const value${at} = ${version} * 2;`];
    const originalFile = text.join("\n");
    text[at] = is;
    const hunk = {
      oldStart: at + 1,
      oldLines: 1,
      newStart: at + 1,
      newLines: 1,
      lines: [`-${was}`, `+${is}`],
    };
    const edit = { filePath: PATH, oldString: was, newString: is, originalFile, structuredPatch: [hunk] };
    call("Edit", { file_path: PATH, old_string: was, new_string: is }, edit);
  }
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}
