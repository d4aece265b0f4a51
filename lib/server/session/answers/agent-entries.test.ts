import { expect, it } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { idOf, openFolder, settled } from "@/lib/testing/transcript";
import type { FilesResponse } from "@/lib/wire/session";

type Line = Record<string, unknown>;

const SESSION = uuid(1);
const PATH = "/home/dev/shop/cart.ts";
const time = (second: number) => ({
  timestamp: new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString(),
});

/** A call and what came of it, in these seconds. */
function call(
  id: string,
  name: string,
  input: Line,
  [from, to]: [number, number],
  result: Line = {},
): Line[] {
  const content = [{ type: "tool_result", tool_use_id: id, content: "done" }];
  return [
    {
      ...{ type: "assistant", uuid: `c-${id}`, ...time(from) },
      message: { id: `m-${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    },
    { type: "user", uuid: `r-${id}`, ...time(to), message: { role: "user", content }, ...result },
  ];
}

const edit = (id: string, from: string, to: string, second: number) =>
  call(id, "Edit", { file_path: PATH, old_string: from, new_string: to }, [second, second + 1], {
    toolUseResult: {
      filePath: PATH,
      structuredPatch: [
        { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${from}`, `+${to}`] },
      ],
    },
  });

const chain = (lines: readonly Line[], more: Line = {}): Line[] =>
  lines.map((line, index) => ({
    parentUuid: index === 0 ? null : lines[index - 1]?.uuid,
    ...line,
    ...more,
  }));

/** A session whose agent edits a file that the main thread then edits, and once more behind that. */
async function open() {
  const main = chain([
    prompt("go", time(1)),
    ...call("t1", "Agent", { prompt: "edit", description: "edit" }, [2, 30]),
    ...edit("t4", "b", "a", 40),
  ]);
  const agent = chain([prompt("edit", { uuid: "g0", ...time(3) }), ...edit("t2", "a", "b", 4)], {
    isSidechain: true,
    agentId: "a1",
    sessionId: SESSION,
  });
  const folder = `projects/-home-dev-shop/${SESSION}`;
  const opened = await openFolder(
    makeTree({
      [`${folder}.jsonl`]: main,
      [`${folder}/subagents/agent-a1.jsonl`]: agent,
      [`${folder}/subagents/agent-a1.meta.json`]: [{ agentType: "x", toolUseId: "t1" }],
    }),
  );
  const { sessions } = opened;
  const id = idOf(opened, SESSION);
  const session = await sessions.latest(id);
  return { sessions, id, recordOf: (of: string) => session.recordId(session.findUuid(of)) };
}

it("a file's changes are in the order of time, those of agents among the main thread's", async () => {
  const { sessions, id, recordOf } = await open();
  const { files } = await settled(() => sessions.files(id, { limit: 9, cursor: null }));
  expect(files.map(({ path, recordIds }) => [path, recordIds])).toEqual([
    [PATH, [recordOf("c-t2"), recordOf("c-t4")]],
  ]);
  // Of each its own lines, which add up to the file's.
  for (const { added, removed, addedBy, removedBy } of files)
    expect([addedBy, removedBy]).toEqual([
      [added / 2, added / 2],
      [removed / 2, removed / 2],
    ]);
});

it("if a later edit restores the former text, the earlier one is undone, whoever made it", async () => {
  const { sessions, id, recordOf } = await open();
  const { undone } = await settled(() => sessions.facts(id));
  expect(undone.map(({ places }) => places)).toEqual([[{ recordId: recordOf("c-t2"), agentId: "a1" }]]);
});

it("an agent at work is told by its last call or words, whatever the client noted beside a result", async () => {
  const [started] = call("t1", "Agent", { prompt: "test", description: "test" }, [2, 30]);
  const note = { type: "text", text: "<system-reminder>The list is empty.</system-reminder>" };
  const result = { type: "tool_result", tool_use_id: "t2", content: "passed" };
  const works = [
    ...call("t2", "Bash", { command: "npm test" }, [4, 5]).slice(0, 1),
    prompt("", { uuid: "r-t2", ...time(5), message: { role: "user", content: [result, note] } }),
  ];
  const stepOf = async (lines: readonly Line[]) => {
    const folder = `projects/-home-dev-shop/${SESSION}`;
    const agent = chain([prompt("test", { uuid: "g0", ...time(3) }), ...lines]);
    const { sessions, ...opened } = await openFolder(
      makeTree({
        [`${folder}.jsonl`]: chain([prompt("go", time(1)), started ?? {}]),
        [`${folder}/subagents/agent-a1.jsonl`]: agent.map((line) => ({
          ...line,
          ...{ isSidechain: true, agentId: "a1", sessionId: SESSION },
        })),
        [`${folder}/subagents/agent-a1.meta.json`]: [{ agentType: "x", toolUseId: "t1" }],
      }),
    );
    const id = idOf({ sessions, ...opened }, SESSION);
    const { agents } = await settled(() => sessions.agents(id, { limit: 9, cursor: null }));
    return agents.map(({ step }) => step);
  };
  expect(await stepOf([])).toEqual([null]);
  expect(await stepOf(works)).toEqual([{ name: "Bash", subject: "npm test" }]);
  const words = answer("All of them pass", { uuid: "w", ...time(6) });
  expect(await stepOf([...works, words])).toEqual([{ name: null, subject: "All of them pass" }]);
});

it("the files of a session come no more at once than an answer of a megabyte holds", async () => {
  const long = "d/".repeat(2_000);
  const lines = [prompt("edit", { uuid: "p", ...time(0) })];
  for (let nth = 0; nth < 300; nth++)
    lines.push(
      ...call(`f${nth}`, "Write", { file_path: `/srv/${long}${nth}`, content: "x" }, [nth + 1, nth + 2]),
    );
  const opened = await openFolder(makeTree({ [`projects/-srv/${SESSION}.jsonl`]: chain(lines) }));
  const paths: string[] = [];
  let cursor: string | null = null;
  do {
    const asked: string | null = cursor;
    const page: FilesResponse = await settled(() =>
      opened.sessions.files(idOf(opened, SESSION), { limit: 1000, cursor: asked }),
    );
    expect(JSON.stringify(page).length).toBeLessThan(1_000_000);
    paths.push(...page.files.map(({ path }) => path));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(new Set(paths).size).toBe(300);
});
