import { expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { Access } from "@/lib/wire/shares";
import { toHealth } from "./health";
import type { Library } from "./library";

/** What a library over these logs answers. */
async function healthOf(files: Parameters<typeof makeTree>[0], access: Access, bytesUnderWay = 0) {
  const catalog = new Catalog([{ path: makeTree(files), kind: "config" }]);
  await catalog.list();
  return toHealth({
    ...{ access, catalog, scanner: { busy: false }, live: { coverage: {} }, warnings: [] },
    ...{ index: { state: { warnings: [] }, bytesUnderWay }, archive: { warnings: [] } },
    config: { version: "1", roots: [{ path: "/owners/logs" }], demo: false },
  } as unknown as Library);
}

const shared = { kind: "share", redacted: false, without: [], comments: true, expiresAtMs: 5 } as const;

it("tells a guest the session as it is called in the copy, and none while nothing of it can be read", async () => {
  const access: Access = { ...shared, sessionId: uuid(9) as never };
  const log = { [`projects/-a/${uuid(1)}.jsonl`]: [prompt("p"), answer("a")] };
  expect(await healthOf(log, access)).toMatchObject({ access: { ...shared, sessionId: uuid(1) }, roots: [] });
  expect((await healthOf({ "projects/-a/none.jsonl": [] }, access)).access).toEqual({
    ...shared,
    sessionId: null,
  });
});

it("counts what has been read of a large session before all of it has", async () => {
  const log = { [`projects/-a/${uuid(1)}.jsonl`]: [prompt("p"), answer("a")] };
  const access: Access = { ...shared, sessionId: uuid(1) as never };
  const { indexing } = await healthOf(log, access, 100);
  expect(indexing).toMatchObject({ filesDone: 0, filesTotal: 1, bytesDone: 100 });
  // A log may have grown since it was listed.
  expect((await healthOf(log, access, 1e9)).indexing.bytesDone).toBe(indexing.bytesTotal);
});
