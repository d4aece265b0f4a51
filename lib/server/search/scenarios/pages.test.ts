import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAIN_LOG, openSearched, resultLine } from "@/lib/testing/library/searched-lines";
import { answer, prompt, toText, uuid } from "@/lib/testing/log-tree";
import { type SessionId } from "@/lib/wire/ids";
import type { SearchEvent, SearchHit } from "@/lib/wire/search";
import { openSearch } from "../search";

describe.each([
  ["with an index", true],
  ["without one", false],
])("pages of hits, %s", (_name, indexed) => {
  it("returns hits in pages, each once", async () => {
    const { all, search } = await openSearched(
      {
        [MAIN_LOG]: [
          prompt("go"),
          ...Array.from({ length: 130 }, (_, at) => resultLine(`walrus ${at}`, {}, `t${at}`)),
        ],
      },
      indexed,
    );
    const hits = await all("walrus");
    expect(new Set(hits.map(({ recordId }) => recordId)).size).toBe(130);
    expect(hits).toHaveLength(130);
    const events: SearchEvent[] = [];
    for await (const event of search.events(
      { q: "walrus", project: null, session: null, cursor: null },
      new AbortController().signal,
    ))
      events.push(event);
    expect(events.flatMap((event) => (event.kind === "hits" ? event.hits : []))).toEqual(hits);
    expect(events.at(-1)).toMatchObject({ kind: "end", complete: true });
    expect(await all("walrus", { session: "other" as SessionId })).toEqual([]);
  });

  it("refuses a cursor that no answer gave out before a stream begins, and one of a time or a count that is none", async () => {
    const { search } = await openSearched({ [MAIN_LOG]: [prompt("walrus")] }, indexed);
    const forged = (nowMs: number, delivered = 0) =>
      Buffer.from(JSON.stringify(["run", [delivered], nowMs])).toString("base64url");
    const uncounted = [forged(Date.now(), -1), forged(Date.now(), 0.5)];
    const request = { q: "walrus after:yesterday", project: null, session: null };
    for (const cursor of ["x", forged(8.65e15), forged(-9e15), forged(1e300), forged(0.5), ...uncounted]) {
      const refused = expect.objectContaining({ code: "bad-cursor", status: 400 });
      expect(() => search.events({ ...request, cursor }, new AbortController().signal)).toThrow(refused);
      await expect(search.page({ ...request, limit: 9, cursor })).rejects.toThrow(refused);
    }
    expect(await search.page({ ...request, limit: 9, cursor: forged(Date.now()) })).toMatchObject({
      complete: true,
    });
  });

  it("continues where a stream ended or its state was lost, each hit once", async () => {
    const sessions = Array.from({ length: 7 }, (_, session) => [
      `projects/-a/${uuid(session + 1)}.jsonl`,
      [
        prompt("walrus"),
        ...Array.from({ length: 1000 }, (_, at) => resultLine(`walrus ${at}`, {}, `t${session}-${at}`)),
      ],
    ]);
    const { world, search } = await openSearched(Object.fromEntries(sessions), indexed);
    const keysOf = (hits: SearchHit[]) =>
      hits.map((hit) => `${hit.sessionId} ${hit.recordId} ${hit.block} ${hit.field}`);
    const streamed: string[] = [];
    const ends: boolean[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const request = { q: "walrus", project: null, session: null, cursor: cursor ?? null };
      cursor = null;
      for await (const event of search.events(request, new AbortController().signal)) {
        if (event.kind === "hits") streamed.push(...keysOf(event.hits));
        if (event.kind !== "end") continue;
        cursor = event.nextCursor;
        ends.push(event.complete);
      }
    }
    expect(ends).toEqual([false, true]);
    // Of a session 1,000 outputs, its prompt and that one's uuid.
    expect(new Set(streamed).size).toBe(7014);
    expect(streamed).toHaveLength(7014);

    // Every page from a server that has just been started.
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const fresh = openSearch(world);
      const page = await fresh.page({
        q: "walrus",
        project: null,
        session: null,
        limit: 1_500,
        cursor: cursor ?? null,
      });
      fresh.stop();
      paged.push(...keysOf(page.hits));
      cursor = page.nextCursor;
    }
    expect(paged.toSorted()).toEqual(streamed.toSorted());
  });

  it("misses nothing when sessions are indexed meanwhile", async () => {
    const sessions = Array.from({ length: 9 }, (_, session) => [
      `projects/-a/${uuid(session + 1)}.jsonl`,
      [
        prompt(`go ${session}`),
        answer("a walrus"),
        { type: "custom-title", customTitle: `walrus ${session}` },
      ],
    ]);
    const { path, catalog, scanner, search } = await openSearched(Object.fromEntries(sessions), indexed);
    const added = Array.from({ length: 9 }, (_, session) =>
      join(path, `projects/-b/${uuid(session + 20)}.jsonl`),
    );
    mkdirSync(join(path, "projects/-b"));
    for (const log of added) writeFileSync(log, toText([prompt("stay"), answer("another walrus")]));
    await catalog.list();
    const request = { q: "walrus", project: null, session: null };
    // The titles come first, alone; then everything is indexed before the rest is asked for.
    const first = await search.page({ ...request, limit: 9, cursor: null });
    expect(first.hits.map(({ field }) => field)).toEqual(Array(9).fill("title"));
    await scanner.run();
    const fields: string[] = [];
    for (let cursor = first.nextCursor; cursor !== null; ) {
      const page = await search.page({ ...request, limit: 50, cursor });
      fields.push(...page.hits.map(({ field }) => field).filter((field) => field === "text"));
      cursor = page.nextCursor;
    }
    expect(fields).toHaveLength(18);
  });

  it.each([1, 2, 3, 7])("gives pages of at most %i hits, and loses none between two", async (limit) => {
    const outputs = (session: number) =>
      Array.from({ length: 5 }, (_, at) => resultLine(`ibex ${session}.${at}`, {}, `toolu_${session}_${at}`));
    const { search } = await openSearched(
      {
        [MAIN_LOG]: [prompt("an ibex, go", { uuid: "p1" }), ...outputs(1)],
        [`projects/-a/${uuid(2)}.jsonl`]: [prompt("go on"), ...outputs(2)],
      },
      indexed,
    );
    const placeOf = ({ sessionId, recordId, snippet }: SearchHit) => `${sessionId} ${recordId} ${snippet}`;
    const pagesFrom = async (from: string | null) => {
      const pages: { cursor: string | null; places: string[]; complete: boolean }[] = [];
      let cursor = from;
      do {
        const of = { q: "ibex", project: null, session: null, limit, cursor };
        const { hits, complete, nextCursor } = await search.page(of);
        pages.push({ cursor, places: hits.map(placeOf), complete });
        cursor = nextCursor;
      } while (cursor !== null && pages.length < 30);
      return pages;
    };
    const pages = await pagesFrom(null);
    for (const { places } of pages) expect(places.length).toBeLessThanOrEqual(limit);
    expect(pages.filter(({ complete }) => complete)).toEqual(pages.slice(-1));
    const all = pages.flatMap(({ places }) => places);
    expect([all.length, new Set(all).size]).toEqual([11, 11]);
    // Whoever goes back to an earlier page goes on from there.
    for (const [at, { cursor }] of pages.entries()) {
      const rest = (await pagesFrom(cursor)).flatMap(({ places }) => places);
      expect(rest.toSorted()).toEqual(
        pages
          .slice(at)
          .flatMap(({ places }) => places)
          .toSorted(),
      );
    }
  });
});
