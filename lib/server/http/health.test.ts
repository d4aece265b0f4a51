import { expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { Access } from "@/lib/wire/shares";
import { toHealth } from "./health";
import type { Library } from "./library";

/** What a library over these logs answers. */
async function healthOf(files: Parameters<typeof makeTree>[0], access: Access) {
  const catalog = new Catalog([{ path: makeTree(files), kind: "config" }]);
  await catalog.list();
  return toHealth({
    ...{ access, catalog, scanner: { busy: false }, live: { coverage: {} }, warnings: [] },
    ...{ index: { state: { warnings: [] } }, archive: { warnings: [] } },
    config: { version: "1", roots: [{ path: "/owners/logs" }], demo: false },
  } as unknown as Library);
}

it("tells a guest the session as it is called in the copy, and none while nothing of it can be read", async () => {
  const shared = { kind: "share", redacted: false, without: [], comments: true, expiresAtMs: 5 } as const;
  const access: Access = { ...shared, sessionId: uuid(9) as never };
  const log = { [`projects/-a/${uuid(1)}.jsonl`]: [prompt("p"), answer("a")] };
  expect(await healthOf(log, access)).toMatchObject({ access: { ...shared, sessionId: uuid(1) }, roots: [] });
  expect((await healthOf({ "projects/-a/none.jsonl": [] }, access)).access).toEqual({
    ...shared,
    sessionId: null,
  });
});
