import { join } from "node:path";
import { expect, test } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { CopyFollower, logsOf } from "./copied-session";
import { CopyWorker } from "./copy-task";

async function listed(root: string): Promise<Catalog> {
  const catalog = new Catalog([{ path: root, kind: "config" }]);
  await catalog.list();
  return catalog;
}

test("a log of any name has the same id in every copy, with its agents", async () => {
  const folder = "projects/-srv-shop/my notes";
  const catalog = await listed(
    makeTree({
      [`${folder}.jsonl`]: [prompt("one", { cwd: "/srv/shop" }), answer("two")],
      [`${folder}/subagents/agent-a1.jsonl`]: [
        prompt("look", { isSidechain: true, agentId: "a1", uuid: uuid(9) }),
      ],
    }),
  );
  const sessionId = catalog.summaries()[0]?.id as SessionId;
  const copies = new CopyWorker();
  const ids: string[] = [];
  for (const id of ["first", "second"]) {
    const copied = { id, sessionId, folder: join(makeTree({}), id), rules: null };
    await new CopyFollower(catalog, (task) => copies.do(task), { batchMs: 1, lookEveryMs: 1 }).follow(copied);
    const copy = await listed(logsOf(copied.folder));
    ids.push(...copy.summaries().map((one) => one.id));
    expect(copy.sessionFiles(ids.at(-1) as SessionId).agents).toHaveLength(1);
  }
  expect(ids).toHaveLength(2);
  expect(ids[1]).toBe(ids[0]);
});
