import { mkdirSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, Row, Section } from "./harness/section";
import { formatTable } from "./harness/table";
import { archive } from "./sections/archive";
import { archivedReading } from "./sections/archived-reading";
import { graph } from "./sections/graph";
import { append } from "./sections/live/append";
import { graphLive } from "./sections/live/graph-live";
import { idle } from "./sections/live/idle";
import { live } from "./sections/live/live";
import { present } from "./sections/live/present";
import { states } from "./sections/live/states";
import { memory } from "./sections/memory";
import { packaged } from "./sections/packaged";
import { exported } from "./sections/page/exported";
import { graphView } from "./sections/page/graph-view";
import { lists } from "./sections/page/lists";
import { open } from "./sections/page/open";
import { reading } from "./sections/page/reading";
import { scroll } from "./sections/page/scroll";
import { waterfall } from "./sections/page/waterfall";
import { why } from "./sections/page/why";
import { requests } from "./sections/requests";
import { search } from "./sections/search";
import { start } from "./sections/start";
import { thread } from "./sections/thread";
import { truth } from "./sections/truth";

const SECTIONS: readonly Section[] = [
  truth,
  start,
  open,
  scroll,
  lists,
  reading,
  exported,
  memory,
  thread,
  graph,
  graphView,
  graphLive,
  waterfall,
  append,
  archive,
  search,
  why,
  requests,
  archivedReading,
  live,
  states,
  present,
  idle,
  packaged,
];

const USAGE = `npm run bench -- [--quick] [--only NAME]… [--json] [--cache DIR]

  --quick       small corpora, few samples: shows that it runs
  --only NAME   ${SECTIONS.map((section) => section.name).join(", ")}
  --json        the rows as JSON
  --cache DIR   where generated logs are kept (default: a folder in the system's temporary one)`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    json: { type: "boolean", default: false },
    cache: { type: "string", default: join(tmpdir(), "backscroll-bench") },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(USAGE);
else await run();

async function run(): Promise<void> {
  mkdirSync(values.cache, { recursive: true });
  const startedAtMs = performance.now();
  const say = (text: string) =>
    void process.stderr.write(
      `${((performance.now() - startedAtMs) / 1000).toFixed(1).padStart(6)} s  ${text}\n`,
    );
  const bench: Bench = { quick: values.quick, cache: values.cache, say };
  const chosen = SECTIONS.filter((section) => values.only?.includes(section.name) ?? true);
  const unknown = values.only?.filter((name) => !SECTIONS.some((section) => section.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`No section ${unknown.join(", ")}.\n${USAGE}`);

  const rows: Row[] = [];
  for (const section of chosen) {
    say(`— ${section.name}`);
    rows.push(...(await rowsOf(section, bench)));
  }
  if (values.json) {
    console.log(JSON.stringify({ quick: values.quick, rows }, null, 2));
    return;
  }
  console.log(formatTable(rows));
  console.log(
    `\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, page cache warm`,
  );
  if (values.quick) console.log("Quick: figures of small corpora, not to be held against the budgets.");
}

/** A failed section becomes a row of the table, so that the other sections still run. */
async function rowsOf(section: Section, bench: Bench): Promise<Row[]> {
  try {
    return await section.run(bench);
  } catch (cause) {
    const [reason] = String(cause).split("\n");
    bench.say(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    process.exitCode = 1;
    return [
      { label: section.name, budget: "", measured: null, samples: 0, ratio: null, ok: false, note: reason },
    ];
  }
}
