import { expect, it, onTestFinished } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { bytesOf } from "@/lib/server/library/session-files";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { IndexWorker } from "./index-task";
import { LibraryIndex, openLibraryIndex } from "./library-index";

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

it("reads by the index's own thread where no other can be started, and says why where not even that can be", async () => {
  const tree = makeTree({ [`projects/-a/${uuid(1)}.jsonl`]: [prompt("p"), answer("a")] });
  const catalog = new Catalog([{ path: tree, kind: "config" }]);
  await catalog.list();
  const [files] = catalog.summaries().map(({ id }) => catalog.sessionFiles(id));
  if (!files) throw new Error("a session was written");
  const notStarted = new ViewerError("thread-not-started", "no threads", { status: 503, hint: "Wait." });
  const keeper = new IndexWorker();
  let fault: ViewerError | null = null;
  const index = new LibraryIndex(null, {
    ask: async (task) => keeper.do(task),
    read: () => Promise.reject(notStarted),
    startFault: () => fault,
    stop: () => keeper.close(),
    ended: async () => undefined,
  });
  onTestFinished(() => index.stop());
  expect((await index.index(files, true)).entry.numbers.turns).toBe(1);
  expect(index.bytesUnderWay).toBe(0);
  expect(index.warnings).toEqual([]);
  fault = notStarted;
  expect(index.warnings).toEqual([
    { code: "index-waiting", message: "Nothing new is read into the index: no threads", hint: "Wait." },
  ]);
});
