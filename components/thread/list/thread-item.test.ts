import { expect, it } from "vitest";
import type { Row } from "@/lib/wire/rows";
import { parallelPart } from "./thread-item";

const call = (messageId?: string) => ({ kind: "tool", messageId }) as Row;
const text = { kind: "text", messageId: "a" } as Row;

it("tells calls that were asked for together from those that follow each other", () => {
  expect(parallelPart(text, call("a"), call("a"))).toBe("first");
  expect(parallelPart(call("a"), call("a"), call("a"))).toBe("middle");
  expect(parallelPart(call("a"), call("a"), call("b"))).toBe("last");
  expect(parallelPart(call("b"), call("a"), undefined)).toBeNull();
  expect(parallelPart(call(), call(), call())).toBeNull();
});
