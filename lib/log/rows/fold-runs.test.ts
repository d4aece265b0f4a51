import fc from "fast-check";
import { expect, test } from "vitest";
import { buildGraph } from "@/lib/log/graph/session-graph";
import { Level } from "@/lib/log/table/kinds";
import { at } from "@/lib/log/table/table";
import { wellFormedLines } from "@/lib/testing/graph/record-tree";
import { foldRuns } from "@/lib/testing/model/read-at-once";
import { LOGS, openBranch, type TestLine, tableOf } from "@/lib/testing/records";
import { RowKind } from "./flatten";

/** One call a word: `Read`, `Bash!` (failed), `Grep?` (no result); `"` is something said, `>` a prompt. */
function linesOf(story: string): TestLine[] {
  const lines: TestLine[] = [];
  let parent: string | null = null;
  const add = (json: Record<string, unknown>) => {
    const uuid = `u${lines.length}`;
    lines.push({ file: 0, json: { ...json, uuid, parentUuid: parent } });
    parent = uuid;
  };
  for (const [index, word] of story.split(" ").entries()) {
    const id = `call${index}`;
    const message = (content: unknown) => ({ id: `m${index}`, role: "assistant", content: [content] });
    if (word === ">") add({ type: "user", message: { content: "go on" } });
    else if (word === '"') add({ type: "assistant", message: message({ type: "text", text: "so" }) });
    else {
      const name = word.replace(/[!?]$/, "");
      add({ type: "assistant", message: message({ type: "tool_use", id, name, input: {} }) });
      if (word.endsWith("?")) continue;
      const is_error = word.endsWith("!");
      const result = { type: "tool_result", tool_use_id: id, content: "done", is_error };
      add({ type: "user", message: { content: [result] } });
    }
  }
  return lines;
}

/** The rows of a story with its runs folded: `Read×3`, or `Read×3:` with its rows behind it where it is open. */
function folded(lines: TestLine[], open: (run: number) => boolean = () => false): string[] {
  const table = tableOf(lines);
  const graph = buildGraph(table, LOGS);
  const [branch] = graph.branches[0] ?? [];
  if (!branch) return [];
  const { list } = openBranch(table, graph, branch, Level.tools);
  let runs = 0;
  const result = foldRuns(table, graph, list, () => open(runs++));
  return Array.from({ length: result.count }, (_, row) => {
    const block = at(result.of, row);
    const call = at(result.kind, row) === RowKind.turn ? -1 : table.blocks.call.at(block);
    const name = call === -1 ? "" : (table.tools.at(table.calls.tool.at(call)) ?? "");
    if (at(result.kind, row) === RowKind.turn) return ">";
    if (at(result.kind, row) === RowKind.agentReturn) return "returned";
    const run = result.runs.get(row);
    if (at(result.kind, row) === RowKind.run) return `${name}×${run?.blocks.length}${run?.open ? ":" : ""}`;
    return name || '"';
  });
}

test("three or more neighbouring calls of one tool are one row", () => {
  expect(folded(linesOf('> Read Read Read Read " Read Read Bash Bash Bash'))).toEqual([
    ">",
    "Read×4",
    '"',
    "Read",
    "Read",
    "Bash×3",
  ]);
});

test("failed calls, running calls and answered questions are never folded", () => {
  expect(folded(linesOf("> Read Read! Read Read Read Read? Read"))).toEqual([
    ">",
    "Read",
    "Read",
    "Read×3",
    "Read",
    "Read",
  ]);
  expect(folded(linesOf("> AskUserQuestion AskUserQuestion AskUserQuestion"))).toHaveLength(4);
});

test("a call that an agent hangs from is never folded, whatever tool it is of", () => {
  const story = "> Read Read Read Read";
  // The result says that an agent of `LOGS` was started, which works on.
  const started = linesOf(story).map(({ file, json }): TestLine => {
    const isResult = json.type === "user" && JSON.stringify(json).includes('"call4"');
    return { file, json: isResult ? { ...json, toolUseResult: { isAsync: true, agentId: "a1" } } : json };
  });
  expect(folded(linesOf(story))).toEqual([">", "Read×4"]);
  expect(folded(started)).toEqual([">", "Read×3", "Read", "returned"]);
});

test("a run ends with its turn", () => {
  expect(folded(linesOf("> Read Read > Read Read"))).toEqual([">", "Read", "Read", ">", "Read", "Read"]);
});

test("an open run shows its rows below its own", () => {
  const lines = linesOf("> Read Read Read Grep Grep Grep");
  expect(folded(lines, (run) => run === 0)).toEqual([">", "Read×3:", "Read", "Read", "Read", "Grep×3"]);
});

test("calls added after a run extend it, and move nothing before it", () => {
  expect(folded(linesOf("> Read Read Read"))).toEqual([">", "Read×3"]);
  expect(folded(linesOf("> Read Read Read Read?"))).toEqual([">", "Read×3", "Read"]);
  expect(folded(linesOf("> Read Read Read Read"))).toEqual([">", "Read×4"]);
});

test("with every run open each row is listed once, in order", () => {
  fc.assert(
    fc.property(wellFormedLines, (lines) => {
      const all = folded(lines, () => true);
      const rows = all.filter((row) => !row.endsWith(":"));
      const table = tableOf(lines);
      const graph = buildGraph(table, LOGS);
      const [branch] = graph.branches[0] ?? [];
      const count = branch ? openBranch(table, graph, branch, Level.tools).list.count : 0;
      expect(rows).toHaveLength(count);
    }),
    { numRuns: 200, seed: 20_267 },
  );
});
