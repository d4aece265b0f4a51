import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { openDatabase } from "@/lib/server/index/load-sqlite";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { openSearch } from "@/lib/server/search/search";
import type { SessionSummary } from "@/lib/wire/library";

// Reads a library as the server does, and prints a line that says what it would show of it: at its start, when
// all is saved with `until-saved`, and again for every line on its input with `again`. As `nobody` where root runs
// it with `as-nobody`, whom no mode of a file keeps out.

/** A line that it prints. */
export type LibraryReport = {
  shown: SessionSummary[];
  hits: number;
  warnings: { code: string; message: string }[];
  mode: string;
};

const NOBODY = 65534;
const [path = "", dataDir = "", ...modes] = process.argv.slice(2);

if (modes.includes("as-nobody") && process.getuid?.() === 0) {
  openDatabase(":memory:").close(); // loaded while it may be read
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
const catalog = new Catalog([{ path, kind: "config" }]);
const index = openLibraryIndex(dataDir);
const scanner = new Scanner(catalog, index, new RequestActivity(), 20);
const search = openSearch({ catalog, scanner, index });

await read();
await report();
if (modes.includes("until-saved")) {
  while (!catalog.summaries().every(({ id }) => scanner.indexedBytes(id) !== null)) await wait(10);
  await report();
}
if (modes.includes("again")) {
  for await (const _ of createInterface(process.stdin)) {
    await read();
    await report();
  }
}
scanner.stop();

async function read(): Promise<void> {
  await catalog.list();
  await scanner.run();
}

async function report(): Promise<void> {
  let hits = 0;
  let cursor: string | null = null;
  do {
    const page = await search.page({ q: "the", project: null, session: null, limit: 500, cursor });
    hits += page.hits.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  const shown = catalog.summaries().sort((a, b) => (a.id < b.id ? -1 : 1));
  const warnings = [...catalog.warnings, ...index.state.warnings].map(({ code, message }) => ({
    code,
    message,
  }));
  const line: LibraryReport = { shown, hits, warnings, mode: index.state.mode };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
