import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { answer, makeTree, prompt, uuid } from "./log-tree";

/** Fields that a message must have. */
export const FULL = { sessionId: "s", parentUuid: null };
const nested = (levels: number) => `{"type":"user","deep":${"[".repeat(levels)}${"]".repeat(levels)}}`;

/** Every bad line that real logs or hostile ones hold, in two sessions. */
export function badTree(): string {
  const good = (n: number, more: Record<string, unknown> = {}) =>
    JSON.stringify(prompt(`good ${n}`, { ...FULL, ...more }));
  const root = makeTree({
    [`projects/-home-dev-shop/${uuid(1)}.jsonl`]: [
      `\ufeff${good(1)}`,
      `${good(2)}\r`,
      `${good(3).slice(0, 40)}${good(4)}`,
      `${good(5)}${good(6)}`,
      `\0\0\0\0${good(7)}`,
      "\0".repeat(12),
      "not JSON at all",
      "",
      '"a string"',
      `{"type":"user","uuid":"half","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"\\ud83d"}}`,
      `{"type":"user","uuid":"sep","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"a\u2028b"}}`,
      nested(100_000),
      `{"__proto__":{"type":"user"},"constructor":1,"type":"weather-report"}`,
      { type: "user", uuid: 7, parentUuid: ["x"], sessionId: {}, timestamp: null, message: "text" },
      { type: 5 },
      {},
      { type: "assistant", uuid: "bare" },
    ],
    [`projects/-home-dev-shop/${uuid(2)}.jsonl`]: [
      prompt("twice", FULL),
      prompt("twice", FULL),
      prompt("orphan", { ...FULL, parentUuid: "nowhere" }),
      prompt("own parent", { ...FULL, uuid: "self", parentUuid: "self" }),
      prompt("ring", { ...FULL, uuid: "ring-a", parentUuid: "ring-b" }),
      prompt("ring", { ...FULL, uuid: "ring-b", parentUuid: "ring-a" }),
      prompt("", {
        ...FULL,
        uuid: "early",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
      }),
      answer("call", {
        ...FULL,
        message: {
          id: "m",
          role: "assistant",
          content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }],
        },
      }),
      answer("silent", {
        ...FULL,
        message: {
          id: "n",
          role: "assistant",
          content: [{ type: "tool_use", id: "t2", name: "Bash", input: {} }, { type: "hologram" }],
        },
      }),
      prompt("", {
        ...FULL,
        uuid: "lost",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "gone", content: "?" }] },
      }),
      prompt("", { ...FULL, uuid: "shape", message: { role: "user", content: 5 } }),
      prompt("", {
        ...FULL,
        uuid: "svg",
        message: {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "PHN2Zz4=" } },
          ],
        },
      }),
      {
        type: "system",
        subtype: "compact_boundary",
        uuid: "b",
        parentUuid: null,
        logicalParentUuid: "elsewhere",
      },
    ],
    [`projects/-home-dev-shop/${uuid(2)}/subagents/agent-a1.jsonl`]: [
      prompt("unmarked", { ...FULL, agentId: "a1" }),
    ],
  });
  const invalid = Buffer.concat([
    Buffer.from('{"type":"user","message":{"role":"user","content":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}}\n'),
  ]);
  appendFileSync(join(root, `projects/-home-dev-shop/${uuid(1)}.jsonl`), invalid);
  appendFileSync(join(root, `projects/-home-dev-shop/${uuid(1)}.jsonl`), good(9).slice(0, 50));
  return root;
}
