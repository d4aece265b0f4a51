import { expect, test } from "vitest";
import type { JsonObject } from "@/lib/log/records/json";
import { blocksOf } from "@/lib/log/table/session-table";
import { tableOf } from "@/lib/testing/records";
import { BlockSizes } from "./block-sizes";

const encoder = new TextEncoder();

/** The sizes of a line's blocks, in their order, and the request that it answers: the same however the line is spaced. */
function measured(json: JsonObject, isLogged = true): { sizes: number[]; ref: string | null } {
  const request = { type: "api-request", id: "req_1" };
  const table = tableOf([{ file: 0, json }, ...(isLogged ? [{ file: 0, json: request }] : [])]);
  const [first, ...others] = ["", " "].map((space) => {
    const line = encoder.encode(JSON.stringify(json, null, space));
    const found: { [block: number]: number } = {};
    const ref = new BlockSizes(table).measure(0, line, 0, line.length, found);
    return { sizes: [...blocksOf(table, 0)].map((block) => found[block] ?? 0), ref };
  });
  for (const other of others) expect(other).toEqual(first);
  return first as { sizes: number[]; ref: string | null };
}

const sizesOf = (json: JsonObject) => measured(json).sizes;
const user = (content: unknown, more: JsonObject = {}) => ({
  type: "user",
  uuid: "u1",
  message: { role: "user", content },
  ...more,
});
const answer = (content: unknown, more: JsonObject = {}) => ({
  type: "assistant",
  uuid: "u1",
  message: { id: "msg_1", role: "assistant", model: "claude-opus-4-5", content },
  ...more,
});
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(500) } };

test("a prompt is one block, an image in it counts as about 1,500 tokens", () => {
  expect(sizesOf(user("Fix it"))).toEqual([6]);
  expect(sizesOf(user([{ type: "text", text: "Fix" }, image]))).toEqual([6003]);
  expect(sizesOf(user({ type: "text", text: "alone" }))).toEqual([5]);
  // Once some user lines had their content beside their type.
  expect(sizesOf({ type: "user", uuid: "u1", content: "Fix it" })).toEqual([6]);
});

test("a message counts wherever it is, and nothing that only looks like one", () => {
  const { message } = user("Fix it");
  const looks = 'as in {"message":{"content":"no"}}';
  expect(sizesOf({ type: "user", uuid: "u1", cwd: looks, message })).toEqual([6]);
  expect(sizesOf({ type: "user", uuid: "u1", origin: { message: { content: "no" } }, message })).toEqual([6]);
  expect(sizesOf({ type: "user", uuid: "u1", notes: [{ message: "no" }], message })).toEqual([6]);
  expect(sizesOf(user(looks))).toEqual([looks.length]);
});

test("each result counts by its content, without the client's structured form", () => {
  const result = (content: unknown) => ({ content, tool_use_id: "t1", type: "tool_result" });
  const toolUseResult = { stdout: "x".repeat(3000), message: { content: "no" } };
  expect(
    sizesOf(
      user([result("done"), result([{ type: "text", text: "ab" }]), { type: "text", text: "so" }], {
        toolUseResult,
      }),
    ),
  ).toEqual([4, "text".length + 2, 2]);
  // The image's type, and the image.
  expect(sizesOf({ toolUseResult, ...user([result([image])]) })).toEqual(["image".length + 6000]);
});

test("an answer's calls count by name and input, thinking by its text or else its signature", () => {
  const call = { type: "tool_use", id: "t1", name: "Read", input: { path: "a.ts", lines: [1, "b", null] } };
  const thinking = { type: "thinking", thinking: "hm", signature: "A".repeat(40) };
  const hidden = { type: "thinking", thinking: "", signature: "A".repeat(40) };
  const redacted = { type: "redacted_thinking", data: "A".repeat(12) };
  const unknown = { type: "to_come", text: "abc" };
  const { sizes, ref } = measured(
    answer([call, thinking, hidden, redacted, unknown, 5], { requestRef: "req_1" }),
  );
  expect(sizes).toEqual([4 + 4 + 1, 2, 30, 12, 3, 0]);
  expect(ref).toBe("req_1");
  expect(measured(answer([call])).ref).toBeNull();
  expect(measured(answer([call], { requestRef: "req_1" }), false)).toEqual({ sizes: [9], ref: null });
  expect(sizesOf(answer([{ type: "text", text: "API Error" }], { isApiErrorMessage: true }))).toEqual([0]);
});

test("an attachment counts as it was sent, else by what it was made from, where it is sent at all", () => {
  const attachment = (of: unknown, more: JsonObject = {}) => ({
    type: "attachment",
    uuid: "u1",
    attachment: of,
    ...more,
  });
  const file = { type: "file", name: "a.ts" };
  expect(sizesOf(attachment(file))).toEqual([8]);
  expect(
    sizesOf(attachment(file, { rendered: [{ role: "user", content: "sent" }, { content: "too" }] })),
  ).toEqual([7]);
  expect(sizesOf(attachment({ type: "prompt_snapshot", text: "kept" }))).toEqual([0]);
});

test("among system lines a local command's output is sent, unless it is only displayed", () => {
  const printed = { type: "system", subtype: "local_command", uuid: "u1", content: "done" };
  expect(sizesOf(printed)).toEqual([4]);
  expect(sizesOf({ ...printed, isDisplayOnly: true })).toEqual([0]);
  expect(sizesOf({ ...printed, subtype: "informational" })).toEqual([0]);
});

test("characters are counted, in long lines the bytes of long strings", () => {
  expect(sizesOf(user("é🙂\n"))).toEqual([4]);
  const long = "é".repeat(2000);
  expect(
    sizesOf(
      user([
        { type: "text", text: long },
        { type: "text", text: "é" },
      ]),
    ),
  ).toEqual([4001]);
});
