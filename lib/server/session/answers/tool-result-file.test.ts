import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { Redaction } from "@/lib/redact/redaction";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, rowsOf, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const ID = uuid(1) as SessionId;
const FOLDER = `projects/-home-dev-shop/${uuid(1)}`;

type Kept = { id: string; folder: string; name: string; content: string };

/** A session whose calls have their outputs in files, all of them told in one line, as the log of another machine says. */
async function open(outputs: readonly Kept[]) {
  const said = ({ folder, name }: Kept) =>
    `<persisted-output>\nOutput too large (262.6KB). Full output saved to: ${folder}${name}\n\nPreview (first 2KB):\nx`;
  const uses = outputs.map(({ id }) => ({ type: "tool_use", id, name: "Bash", input: { command: id } }));
  const results = outputs.map((one) => ({ type: "tool_result", tool_use_id: one.id, content: said(one) }));
  const root = makeTree({
    [`${FOLDER}.jsonl`]: [
      prompt("go", { parentUuid: null }),
      {
        type: "assistant",
        uuid: "c",
        parentUuid: "u-go",
        message: { id: "m", role: "assistant", content: uses },
      },
      { type: "user", uuid: "r", parentUuid: "c", message: { role: "user", content: results } },
    ],
  });
  for (const { name, content } of outputs) {
    const path = join(root, FOLDER, "tool-results", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const folder = await openFolder(root);
  const { rows } = await rowsOf(folder, ID, "tools");
  const calls = rows.filter(({ kind }) => kind === "tool");
  const blobs = await Promise.all(
    calls.map(async ({ recordId, block }) => {
      const { results: answered } = await settled(() => folder.sessions.call(ID, recordId, block));
      return answered.flatMap((one) =>
        one.blocks.flatMap((part) => (part.kind === "blob" ? [part.blob] : [])),
      );
    }),
  );
  return { ...folder, blobs };
}

const HOME = "/home/dev/.claude/projects/-home-dev-shop/1/tool-results/";

it.each([
  "/Users/Jo Doe/.claude/projects/-Users-Jo-Doe-shop/1/tool-results/",
  "C:\\Users\\Jo Doe\\.claude\\projects\\C--Users-Jo-Doe-shop\\1\\tool-results\\",
  HOME,
])("an output is found in its file, wherever it was written: %s", async (folder) => {
  const { sessions, blobs } = await open([{ id: "t1", folder, name: "toolu_1.txt", content: "all of it" }]);
  expect(blobs.map((own) => own.map(({ name }) => name))).toEqual([["toolu_1.txt"]]);
  const [blob] = blobs.flat();
  const { bytes } = await sessions.blob(ID, blob?.recordId ?? ("" as never), blob?.n ?? -1);
  expect(Buffer.from(bytes).toString()).toBe("all of it");
});

it("each of several results in one line has its own file", async () => {
  const { blobs } = await open([
    { id: "t1", folder: HOME, name: "toolu_1.txt", content: "one" },
    { id: "t2", folder: HOME, name: "toolu_2.txt", content: "two" },
  ]);
  expect(blobs.map((own) => own.map(({ name }) => name))).toEqual([["toolu_1.txt"], ["toolu_2.txt"]]);
});

it("an output that is sent in part has its secrets replaced, even if a character is cut", async () => {
  const secret = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");
  // Of as few lines as 70 MB may have: each is looked at for secrets.
  const content = `${secret}\n${`${"漢字".repeat(5_000)}\n`.repeat(2_350)}`;
  const { sessions, blobs } = await open([{ id: "t1", folder: HOME, name: "toolu_1.txt", content }]);
  const [blob] = blobs.flat();
  const seen = sessions.redactedBy(new Redaction());
  const { bytes } = await seen.blob(ID, blob?.recordId ?? ("" as never), blob?.n ?? -1);
  expect(Buffer.from(bytes.subarray(0, 100)).toString()).toContain("[github-token 1]");
});
