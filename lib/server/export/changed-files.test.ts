import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { namesInZip } from "@/lib/testing/library/exports";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { exportChangedFiles } from "./changed-files";

const ID = uuid(1) as SessionId;

let count = 0;
/** A call that was made, and what it returned. */
function called(name: string, input: { file_path: string } & Record<string, unknown>): object[] {
  const id = `t${++count}`;
  const timestamp = new Date(Date.parse("2026-01-02T03:04:05.000Z") + count * 1000).toISOString();
  const message = { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] };
  const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
  const toolUseResult = {
    ...(name === "Write"
      ? { type: "create", content: input.content, originalFile: null, structuredPatch: [] }
      : { ...CHANGED, originalFile: null }),
    filePath: input.file_path,
  };
  return [
    { type: "assistant", uuid: `c-${id}`, timestamp, message },
    { type: "user", uuid: `r-${id}`, timestamp, message: { role: "user", content }, toolUseResult },
  ];
}
const CHANGED = { oldString: "one", newString: "two", replaceAll: false, structuredPatch: [] };

async function opened(lines: readonly object[]) {
  const chained = lines.map((line, index) => ({
    parentUuid: index === 0 ? null : (lines[index - 1] as { uuid: string }).uuid,
    ...line,
  }));
  const { sessions } = await openFolder(makeTree({ [`projects/-home-dev-shop/${ID}.jsonl`]: chained }));
  const session = await sessions.latest(ID);
  /** The files of the zip by their paths, as they were then. */
  const filesAt = async (at: string | null) => {
    const { pieces } = await exportChangedFiles(sessions, ID, at);
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces) bytes.push(Buffer.from(piece));
    return filesIn(Buffer.concat(bytes));
  };
  return { filesAt, idOf: (of: string) => session.recordId(session.findUuid(of)) };
}

function filesIn(zip: Buffer): Record<string, string> {
  const texts: string[] = [];
  const start = Buffer.from("PK\x03\x04", "latin1");
  for (let at = zip.indexOf(start); at !== -1; at = zip.indexOf(start, at + 4)) {
    const data = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    texts.push(inflateRawSync(zip.subarray(data)).toString());
  }
  return Object.fromEntries(namesInZip(zip).map((name, index) => [name, texts[index] ?? ""]));
}

const cart = "/home/dev/shop/src/cart.ts";

test("all files that were changed are as they stood at a record, by their paths in the project", async () => {
  const { filesAt, idOf } = await opened([
    prompt("write them", { timestamp: "2026-01-02T03:04:05.000Z" }),
    ...called("Write", { file_path: cart, content: "one\n" }),
    ...called("Write", { file_path: "/home/dev/shop/old.md", content: "old\n" }),
    ...called("Edit", { file_path: cart, old_string: "one", new_string: "two" }),
  ]);
  expect(await filesAt(idOf("c-t1"))).toEqual({ "src/cart.ts": "one\n" });
  expect(await filesAt(idOf("r-t2"))).toEqual({ "src/cart.ts": "one\n", "old.md": "old\n" });
  expect(await filesAt(null)).toEqual({ "src/cart.ts": "two\n", "old.md": "old\n" });
  await expect(filesAt("m~zzz")).rejects.toThrow("record");
});

test("what is outside of the project, or not whole in the logs, is in a list and not in the zip", async () => {
  const { filesAt } = await opened([
    prompt("change them"),
    ...called("Edit", { file_path: cart, old_string: "one", new_string: "two" }),
    ...called("Write", { file_path: "/etc/motd", content: "hello\n" }),
    ...called("Write", { file_path: "/home/dev/shop/left-out.txt", content: "mine\n" }),
  ]);
  const { "left-out (2).txt": list = "", ...files } = await filesAt(null);
  expect(files).toEqual({ "left-out.txt": "mine\n" });
  expect(list).toContain("/etc/motd is outside of the project");
  expect(list).toContain(`${cart} cannot be told: no log holds its text then`);
});

test("what could not be unpacked is in the list: the folder of other files, and a name that is too long", async () => {
  const long = "x".repeat(300);
  const { filesAt } = await opened([
    prompt("write them"),
    ...called("Write", { file_path: "/home/dev/shop/src", content: "a file once\n" }),
    ...called("Write", { file_path: cart, content: "one\n" }),
    ...called("Write", { file_path: `/home/dev/shop/${long}`, content: "long\n" }),
  ]);
  const { "left-out.txt": list = "", ...files } = await filesAt(null);
  expect(files).toEqual({ "src/cart.ts": "one\n" });
  expect(list).toContain("/home/dev/shop/src is the folder of others of these files");
  expect(list).toContain(`${long} is too long for the name of a file`);
});

test("a session that changed nothing of its project has no zip", async () => {
  const { filesAt } = await opened([
    prompt("elsewhere"),
    ...called("Write", { file_path: "/etc/motd", content: "hello\n" }),
  ]);
  await expect(filesAt(null)).rejects.toThrow("This session changed no file of its project");
});
