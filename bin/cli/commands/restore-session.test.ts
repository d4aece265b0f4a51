import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { makeTree } from "@/lib/testing/log-tree";
import { restoreSession } from "./restore-session.mjs";

it("says that a file is no folder to restore to", async () => {
  const server = await fakeApi(({ url = "" }, response) => {
    const answers = {
      health: { indexing: { phase: "done" } },
      sessions: { sessions: [{ id: "s1" }], nextCursor: null },
      originals: { files: [{ path: "projects/-home-dev-shop/s1.jsonl", bytes: 1 }] },
    };
    const name = /(\w+)(\?.*)?$/.exec(url)?.[1] as keyof typeof answers;
    response.end(JSON.stringify(answers[name]));
  });
  const to = join(makeTree({ file: [""] }), "file");
  await expect(restoreSession(server, { session: "s1", to })).rejects.toThrow(
    `${to} is no folder. Nothing was written: give another --to FOLDER.`,
  );
});
