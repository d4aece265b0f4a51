import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

test("prompts that differ after their first words are not the same", async () => {
  const LONG = "Look at the parser and mend what is wrong with it. ".repeat(20);
  const folder = await openFolder(
    makeTree({
      [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
        prompt("first"),
        answer("one", { parentUuid: "u-first" }),
        prompt(`${LONG}Begin with the strings.`, { uuid: "u-left", parentUuid: "a-one" }),
        answer("left", { parentUuid: "u-left" }),
        prompt("Again.", { uuid: "u-left-again", parentUuid: "a-left" }),
        prompt(`${LONG}Begin with the numbers.`, { uuid: "u-right", parentUuid: "a-one" }),
        answer("right", { parentUuid: "u-right" }),
        prompt("Again.", { uuid: "u-right-again", parentUuid: "a-right" }),
      ],
    }),
  );
  const id = uuid(1) as SessionId;
  const { turns } = await settled(() => folder.sessions.compare(id, { left: null, right: null }));
  expect(turns.map(({ left, right, samePrompt }) => [left?.turn, right?.turn, samePrompt])).toEqual([
    [2, 2, false],
    [3, 3, true],
  ]);
});

test("files of two checkouts are matched by their names in the project, on Windows as elsewhere", async () => {
  const write = (path: string, uuid: string) => [
    {
      ...answer("", { uuid: `c-${uuid}`, parentUuid: `u-${uuid}` }),
      message: {
        id: `m-${uuid}`,
        role: "assistant",
        content: [
          { type: "tool_use", id: `t-${uuid}`, name: "Write", input: { file_path: path, content: uuid } },
        ],
      },
    },
    {
      ...prompt("", { uuid: `r-${uuid}`, parentUuid: `c-${uuid}` }),
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t-${uuid}`, content: "done" }],
      },
      toolUseResult: { type: "create", filePath: path, content: uuid, structuredPatch: [] },
    },
  ];
  const session = (cwd: string, path: string, name: string) =>
    [prompt("write it", { uuid: `u-${name}` }), ...write(path, name)].map((line) => ({ ...line, cwd }));
  const folder = await openFolder(
    makeTree({
      [`projects/C--one/${uuid(1)}.jsonl`]: session("C:\\one", "C:\\one\\src\\a.ts", "left"),
      [`projects/c--two/${uuid(2)}.jsonl`]: session("c:\\two", "c:\\two\\src\\a.ts", "right"),
    }),
  );
  const { files } = await settled(() =>
    folder.sessions.compare(uuid(1) as SessionId, { left: null, right: uuid(2) }),
  );
  expect(files.map(({ name, verdict }) => [name, verdict])).toEqual([["src/a.ts", "differs"]]);
});

test("what this version does not know, and an image, are the same on both sides where they say the same", async () => {
  const PIXEL =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const side = (name: string, shape: string) => [
    prompt("Draw it.", { uuid: `u-${name}`, parentUuid: "a-one" }),
    {
      ...answer("", { uuid: `a-${name}`, parentUuid: `u-${name}` }),
      message: {
        id: `m-${name}`,
        role: "assistant",
        content: [
          { type: "hologram", colour: "red" },
          { type: "hologram", colour: shape },
          { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
        ],
      },
    },
  ];
  const folder = await openFolder(
    makeTree({
      [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
        prompt("first"),
        answer("one", { parentUuid: "u-first" }),
        ...side("left", "green"),
        ...side("right", "blue"),
      ],
    }),
  );
  const id = uuid(1) as SessionId;
  const { rows } = await settled(() => folder.sessions.comparedPair(id, { left: null, right: null }, 1));
  expect(rows.map(({ left, same }) => [left?.kind, same])).toEqual([
    ["unknown", true],
    ["unknown", false],
    ["blob", true],
  ]);
});
