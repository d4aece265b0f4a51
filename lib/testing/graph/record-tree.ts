import fc from "fast-check";
import type { JsonObject } from "@/lib/log/records/json";
import type { TestLine } from "../records";

/** What is added to a tree: where it hangs, and what. Numbers choose among what is there. */
const growths = fc.array(
  fc.record({ from: fc.nat(), kind: fc.nat(9), calls: fc.nat(3), fan: fc.boolean() }),
  { maxLength: 12 },
);

/**
 * Lines as clients write them, and with rewinds: prompts, answers with parallel calls in line and in
 * fan, progress and attachments inside the chain and beside it, compactions, sidechains. Every line
 * has a uuid of its own and, but for the first prompt, its parent.
 */
export const wellFormedLines: fc.Arbitrary<TestLine[]> = growths.map((list) => {
  const lines: TestLine[] = [];
  const ends: string[] = [];
  let made = 0;
  const add = (json: JsonObject, parentUuid: string | null) => {
    const uuid = `n${made++}`;
    lines.push({ file: 0, json: { ...json, uuid, parentUuid, timestamp: "2026-01-02T03:04:05.000Z" } });
    return uuid;
  };
  ends.push(add({ type: "user", message: { content: "the first prompt" } }, null));
  for (const { from, kind, calls, fan } of list) {
    const parent = ends[from % ends.length] as string;
    if (kind < 3) ends.push(add({ type: "user", message: { content: `prompt ${made}` } }, parent));
    else if (kind < 7) ends.push(answer(parent, calls, fan));
    else if (kind === 7) ends.push(add({ type: "attachment", attachment: { type: "date" } }, parent));
    else if (kind === 8) {
      const boundary = add({ type: "system", subtype: "compact_boundary", logicalParentUuid: parent }, null);
      ends.push(add({ type: "user", isCompactSummary: true, message: { content: "summary" } }, boundary));
    } else add({ type: "progress", data: { type: "bash_progress" } }, parent);
  }
  return lines;

  function answer(parent: string, calls: number, fan: boolean): string {
    const id = `m${made}`;
    let last = add(
      { type: "assistant", message: { id, content: [{ type: "text", text: `answer ${made}` }] } },
      parent,
    );
    const uses: { uuid: string; tool: string }[] = [];
    for (let call = 0; call < calls; call++) {
      const tool = `t${made}`;
      last = add(
        {
          type: "assistant",
          message: { id, content: [{ type: "tool_use", id: tool, name: "Read", input: {} }] },
        },
        last,
      );
      uses.push({ uuid: last, tool });
    }
    // 2.1.29 and later hang each result from its own call, older clients from the line before.
    for (const { uuid, tool } of uses) {
      last = add(
        { type: "user", message: { content: [{ type: "tool_result", tool_use_id: tool, content: "ok" }] } },
        fan ? uuid : last,
      );
    }
    return last;
  }
});
