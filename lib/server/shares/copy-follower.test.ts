import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { CopyFollower, copyFolderOf } from "./copy-follower";
import { CopyWorker } from "./copy-task";

const TIMES = { batchMs: 1, lookEveryMs: 0 };

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
    const copied = { id, sessionId, folder: join(makeTree({}), id), rules: null, leftOut: [] };
    await new CopyFollower(
      catalog,
      (task) => copies.do(task),
      async () => [],
      TIMES,
    ).follow(copied);
    const copy = await listed(copyFolderOf(copied.folder));
    ids.push(...copy.summaries().map((one) => one.id));
    expect(copy.sessionFiles(ids.at(-1) as SessionId).agents).toHaveLength(1);
  }
  expect(ids).toHaveLength(2);
  expect(ids[1]).toBe(ids[0]);
});

test("new patterns of the user's are applied to a copy that is being read", async () => {
  const log = `projects/-srv-bluebird/${uuid(1)}.jsonl`;
  const catalog = await listed(makeTree({ [log]: [prompt("ask anna@heronmail.org of Bluebird")] }));
  const sessionId = catalog.summaries()[0]?.id as SessionId;
  const copies = new CopyWorker();
  let own: string[] = [];
  const follower = new CopyFollower(
    catalog,
    (task) => copies.do(task),
    async () => own,
    TIMES,
  );
  const rules = { own, learned: null, learnedUpTo: {}, kept: [] };
  const copied = { id: "one", sessionId, folder: join(makeTree({}), "one"), rules, leftOut: [] };
  await follower.follow(copied);
  const projects = join(copyFolderOf(copied.folder), "projects");
  const written = () =>
    readdirSync(projects, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath} ${readFileSync(join(entry.parentPath, entry.name), "utf8")}`)
      .join("\n");
  expect(written()).toContain("ask [email 1] of Bluebird");
  own = ["(?i)bluebird"];
  follower.look(copied);
  await vi.waitFor(() => expect(written()).toMatch(/ask \[email 1\] of \[own \d\]/));
  expect(written()).not.toMatch(/bluebird/i);
});

test("the reason why a copy is outdated is reported once, on the console as well, until it is updated", async () => {
  const log = `projects/-srv-shop/${uuid(1)}.jsonl`;
  const catalog = await listed(makeTree({ [log]: [prompt("one")] }));
  const sessionId = catalog.summaries()[0]?.id as SessionId;
  const copies = new CopyWorker();
  let [asked, isBroken] = [0, false];
  const told: string[] = [];
  const follower = new CopyFollower(
    catalog,
    (task) => copies.do(task),
    async () => {
      asked += 1;
      if (isBroken) throw new Error("Not a regular expression");
      return [];
    },
    TIMES,
    (faults) => told.push(faults.map(String).join()),
  );
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const rules = { own: [], learned: null, learnedUpTo: {}, kept: [] };
  const copied = { id: "one", sessionId, folder: join(makeTree({}), "one"), rules, leftOut: [] };
  await follower.follow(copied);
  isBroken = true;
  for (let looks = 0; looks < 3; looks++) {
    const before = asked;
    await vi.waitFor(() => {
      follower.look(copied);
      expect(asked).toBeGreaterThan(before);
    });
  }
  await vi.waitFor(() => expect(told).toEqual(["Error: Not a regular expression"]));
  expect(said).toHaveBeenCalledTimes(1);
  isBroken = false;
  await vi.waitFor(() => {
    follower.look(copied);
    expect(told.at(-1)).toBe("");
  });
  expect(told).toHaveLength(2);
});
