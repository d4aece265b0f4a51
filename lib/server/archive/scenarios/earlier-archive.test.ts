import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { Archive } from "../archive";
import { ARCHIVE_COMMANDS } from "../archive-commands";
import { KeptFileReader } from "../kept-file-reader";
import { FolderStore } from "../store/folder-store";
import written from "./earlier-archive.json" with { type: "json" };

const ROOT = "/tmp/earlier-archive/logs";
const PROJECT = `${ROOT}/projects/-home-dev-shop`;

/** What was in the files when they were kept. */
const CONTENTS = [
  `${PROJECT}/one.jsonl ${lines(60, 70)}`,
  `${PROJECT}/one.jsonl ${lines(0, 50)}`,
  `${PROJECT}/long.jsonl ${lines(0, 1_200, () => 2_000)}`,
  `${PROJECT}/one/subagents/agent-a.jsonl ${lines(7, 9)}`,
  `${ROOT}/todos/one.json []`,
].sort();

function lines(from: number, to: number, length = (n: number) => n % 100): string {
  let text = "";
  for (let n = from; n < to; n++) text += `${JSON.stringify({ n, text: "x".repeat(length(n)) })}\n`;
  return text;
}

/** The folder of an archive as it was written before short objects shared files: each of them is one here. */
function earlierArchive(): string {
  const folder = makeTree({});
  for (const [name, base64] of Object.entries(written)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.from(base64, "base64"));
  }
  return folder;
}

async function contents(folder: string): Promise<string[]> {
  const archive = new Archive(new FolderStore(folder));
  const all: string[] = [];
  for (const newest of await archive.files()) {
    for (const file of await archive.generations(newest)) {
      const into = new Uint8Array(file.bytes);
      new KeptFileReader(new FolderStore(folder)).read(file, 0, file.bytes, into);
      all.push(`${file.path} ${Buffer.from(into).toString("utf8")}`);
    }
  }
  return all.sort();
}

test("an archive of an earlier version is read completely, and copied", async () => {
  const folder = earlierArchive();
  expect((await contents(folder)).length).toBe(CONTENTS.length);
  expect(await contents(folder)).toEqual(CONTENTS);
  expect(await new Archive(new FolderStore(folder)).verify()).toMatchObject({
    files: 4,
    generations: 5,
    mended: 0,
    problems: [],
  });
  expect(ARCHIVE_COMMANDS.mayHold(folder)).toBe(true);
  const other = join(makeTree({}), "archive");
  await ARCHIVE_COMMANDS.copy(folder, other);
  expect(await contents(other)).toEqual(CONTENTS);
});

test("it is used for keeping, and its unused objects are collected", async () => {
  const folder = earlierArchive();
  const root = makeTree({});
  const archive = new Archive(new FolderStore(folder));
  const names = Array.from({ length: 30 }, (_, n) => `${n}.jsonl`);
  for (const name of names) writeFileSync(join(root, name), `{"name":"${name}"}\n`);
  await Promise.all(
    names.map((name) => archive.keep({ path: join(root, name), root, within: root, kind: "log" })),
  );
  const added = names.map((name) => `${join(root, name)} {"name":"${name}"}\n`);
  expect(await contents(folder)).toEqual([...CONTENTS, ...added].sort());
  // A log that was forgotten, a manifest in whose place another came, and its chunk.
  expect((await archive.collect(-1_000)).removed).toBe(3);
  expect(await contents(folder)).toEqual([...CONTENTS, ...added].sort());
  expect((await archive.verify()).problems).toEqual([]);
});
