import { expect, it } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { bytesOf } from "@/lib/server/library/session-files";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openLibraryIndex } from "./library-index";

it("says how much has been read of sessions that it does not hold yet", async () => {
  const log = [prompt("p"), answer("a")];
  const tree = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: log, [`projects/-a/${uuid(2)}.jsonl`]: log });
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const [one, other] = catalog.summaries().map(({ id }) => catalog.sessionFiles(id));
  if (!one || !other) throw new Error("two sessions were written");
  const index = openLibraryIndex(null);
  const underWay: number[] = [];
  const look = () => void underWay.push(index.bytesUnderWay);
  look();
  for (const files of [one, other]) {
    await index.index(files, true, null, look);
    look();
  }
  expect(underWay).toEqual([0, bytesOf(one), 0, bytesOf(other), 0]);
  index.stop();
});
