import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTree, uuid } from "@/lib/testing/log-tree";
import { RECORDED_VERSIONS, sharedRecording } from "@/lib/testing/recorded";
import { goneEntries, PromptHistories } from "./prompt-histories";

const line = (display: string, more: object = {}) =>
  `${JSON.stringify({ display, pastedContents: {}, timestamp: 1_000, project: "/home/dev/shop", sessionId: uuid(1), ...more })}\n`;

function folderWith(text: string): { history: PromptHistories; file: string } {
  const path = makeTree({ "projects/-home-dev-shop/x.jsonl": [] });
  const file = join(path, "history.jsonl");
  writeFileSync(file, text);
  return { history: new PromptHistories([{ kind: "config", path }]), file };
}

const read = async (history: PromptHistories) => {
  const [root] = await history.ofRoots();
  const {
    path: _path,
    problem,
    bytes: _bytes,
    ...counts
  } = root?.report ?? { path: "", problem: null, bytes: 0 };
  return { texts: root?.entries.map(({ text }) => text) ?? [], counts, problem: problem?.code ?? null };
};

test("prompts are told from commands, other shapes and lines that cannot be read", async () => {
  const { history } = folderWith(
    line("Fix it") +
      line("/clear") +
      line("/review 2214") +
      line("!ls") +
      "[1]\n{}\n{ torn \n" +
      line("See [Pasted text #2 +3 lines]", { pastedContents: { 2: { type: "text", content: "a\nb" } } }) +
      line("And [Pasted text #7]", { pastedContents: { 7: { type: "text", contentHash: "f00" } } }),
  );
  expect(await read(history)).toEqual({
    texts: ["Fix it", "/review 2214", "See a\nb", "And [Pasted text #7]"],
    counts: { lines: 9, prompts: 4, commands: 2, unknown: 2, unreadable: 1, torn: false },
    problem: null,
  });
});

test("a file is read on as it grows, a part of a line when it is whole, and one that was replaced anew", async () => {
  const long = "x".repeat(300);
  const { history, file } = folderWith(line(long) + line("One").slice(0, 20));
  expect(await read(history)).toMatchObject({ texts: [long], counts: { lines: 1, torn: true } });
  appendFileSync(file, line("One").slice(20) + line("Two").trimEnd());
  // The last line has no end yet, but is whole.
  expect((await read(history)).texts).toEqual([long, "One", "Two"]);
  appendFileSync(file, `\n${line("Three")}`);
  expect(await read(history)).toMatchObject({
    texts: [long, "One", "Two", "Three"],
    counts: { lines: 4, prompts: 4, torn: false },
  });
  writeFileSync(`${file}.new`, line("Another"));
  renameSync(`${file}.new`, file);
  expect((await read(history)).texts).toEqual(["Another"]);
  writeFileSync(file, "");
  expect((await read(history)).texts).toEqual([]);
  rmSync(file);
  expect(await history.ofRoots()).toEqual([]);
});

test("a line that is too long for an entry is skipped, and what is no file is told", async () => {
  const { history, file } = folderWith(line("Before"));
  const piece = "y".repeat(1 << 20);
  for (let mb = 0; mb < 34; mb++) appendFileSync(file, piece);
  appendFileSync(file, `\n${line("Behind")}`);
  expect(await read(history)).toMatchObject({
    texts: ["Before", "Behind"],
    counts: { lines: 3, unreadable: 1 },
  });
  rmSync(file);
  mkdirSync(file);
  expect(await read(history)).toMatchObject({ texts: [], problem: "not-a-file" });
});

test("an entry is of a session that is gone where none has its UUID or ran then in its folder", () => {
  const entry = { id: "", text: "", length: 0, project: "/home/dev/shop" };
  const ran = [{ projectPath: "/home/dev/shop", startedAtMs: 1e6, lastActiveAtMs: 2e6 }];
  const entries = [
    { ...entry, atMs: 1.5e6, sessionUuid: uuid(1) },
    { ...entry, atMs: 1.5e6, sessionUuid: uuid(2) },
    // Up to 2.0.41 none is named.
    { ...entry, atMs: 1e6 - 30_000, sessionUuid: null },
    { ...entry, atMs: 5e6, sessionUuid: null },
    { ...entry, atMs: 1.5e6, sessionUuid: null, project: "/home/dev/tides" },
    // On its way into a log.
    { ...entry, atMs: 9e6, sessionUuid: uuid(3) },
  ];
  const gone = goneEntries(entries, new Set([uuid(1)]), ran, 9e6 + 1000);
  expect(gone.map((one) => entries.indexOf(one as (typeof entries)[number]))).toEqual([1, 3, 4]);
});

const WITHOUT = new Set(["1.0.60", "2.0.0", "2.1.0", "2.1.1", "2.1.170"]);

test.each(RECORDED_VERSIONS.filter((version) => !WITHOUT.has(version)))(
  "every line of the history of %s is a prompt or a command",
  async (version) => {
    const history = new PromptHistories([{ kind: "config", path: sharedRecording(version).claudeDir }]);
    const { counts, texts, problem } = await read(history);
    expect(problem).toBeNull();
    expect(counts).toMatchObject({ unknown: 0, unreadable: 0, torn: false });
    expect(texts.length).toBeGreaterThan(20);
  },
);
