/**
 * Reads a library as the server does, and prints a line that says what it would show of it: at its start, when
 * all is saved (`until-saved`), and again for every line that it is sent (`again`). As `nobody` where root runs
 * it, whom no mode of a file keeps out.
 */
export const LIBRARY_PROGRAM = `
  import { createInterface } from "node:readline";
  import { setTimeout as wait } from "node:timers/promises";
  import { Catalog } from "../library/catalog";
  import { RequestActivity } from "../runtime/slices";
  import { Scanner } from "./scanner";
  import { openSearch } from "../search/search";
  import { openLibraryIndex } from "./library-index";
  import { openDatabase } from "./load-sqlite";
  const [path, dataDir, ...modes] = process.argv.slice(2);
  const NOBODY = 65534;
  if (modes.includes("as-nobody") && process.getuid?.() === 0) {
    openDatabase(":memory:").close(); // loaded while it may be read
    process.setgroups([]);
    process.setgid(NOBODY);
    process.setuid(NOBODY);
  }
  const catalog = new Catalog([{ path, kind: "config" }]);
  const index = openLibraryIndex(dataDir);
  const scanner = new Scanner(catalog, index, new RequestActivity(), 20);
  const search = openSearch({ catalog, scanner, index });
  async function look() {
    await catalog.list();
    await scanner.run();
  }
  async function say() {
    let hits = 0;
    for (let cursor = undefined; cursor !== null; ) {
      const page = await search.page({ q: "the", project: null, session: null, limit: 500, cursor: cursor ?? null });
      hits += page.hits.length;
      cursor = page.nextCursor;
    }
    const shown = catalog.summaries().sort((a, b) => (a.id < b.id ? -1 : 1));
    const warnings = [...catalog.warnings, ...index.state.warnings].map(({ code, message }) => ({ code, message }));
    process.stdout.write(JSON.stringify({ shown, hits, warnings, mode: index.state.mode }) + "\\n");
  }
  await look();
  await say();
  if (modes.includes("until-saved")) {
    while (!catalog.summaries().every(({ id }) => scanner.indexedBytes(id) !== null)) await wait(10);
    await say();
  }
  if (modes.includes("again")) {
    for await (const line of createInterface(process.stdin)) {
      await look();
      await say();
    }
  }
  scanner.stop();
`;

/** A line of it. */
export type Said = {
  shown: { id: string; title: string; problem: { code: string } | null }[];
  hits: number;
  warnings: { code: string; message: string }[];
  mode: string;
};
