import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import type { LineChange, WhyResponse } from "@/lib/wire/files";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { formatWhy, lineOf } from "./why.mjs";

const CHANGE: LineChange = {
  sessionId: "s1" as SessionId,
  title: "Add a cart",
  recordId: "m~1" as RecordId,
  block: 0,
  agentId: null,
  tool: "Write",
  path: "/home/dev/shop/cart.ts",
  change: "wrote",
  turn: 3,
  prompt: "add a cart",
  atMs: null,
};
const FOUND: WhyResponse = {
  text: "let a;",
  path: null,
  origin: null,
  later: [],
  others: [],
  complete: true,
};

it("tells where a line is from, and what changed it later", () => {
  const later: LineChange = {
    ...CHANGE,
    tool: "Edit",
    agentId: "a1" as never,
    change: "removed",
    prompt: null,
  };
  const found = { ...FOUND, origin: CHANGE, later: [later], others: [{ ...CHANGE, title: null }] };
  expect(formatWhy(found, "http://127.0.0.1:1").split("\n")).toEqual([
    "let a;",
    "",
    "Written by Write, at an unknown time",
    "  file     /home/dev/shop/cart.ts",
    "  session  Add a cart",
    "  prompt   3. add a cart",
    "  link     http://127.0.0.1:1/sessions/s1?at=m~1.0",
    "",
    "Then removed by Edit by an agent, at an unknown time",
    "  file     /home/dev/shop/cart.ts",
    "  session  Add a cart",
    "  link     http://127.0.0.1:1/sessions/s1?at=m~1.0",
    "",
    "The same line in other changes: 1",
    "  at an unknown time  wrote  /home/dev/shop/cart.ts  s1",
    "",
  ]);
});

it("shows a break in a path, a title or a tool as what it is, and a prompt in one line", () => {
  const origin = { ...CHANGE, path: "/a\n  link     http://evil", title: "x\ry", prompt: "add\n\n a cart" };
  expect(
    formatWhy({ ...FOUND, origin }, "")
      .split("\n")
      .slice(3),
  ).toEqual([
    "  file     /a\\u000a  link     http://evil",
    "  session  x\\u000dy",
    "  prompt   3. add a cart",
    "  link     /sessions/s1?at=m~1.0",
    "",
  ]);
});

it("says that no session wrote a line, and where not everything was looked at", () => {
  expect(formatWhy(FOUND, "")).toBe("let a;\n\nNo session wrote this line.\n");
  expect(formatWhy({ ...FOUND, complete: false }, "")).toContain("more changes than were looked at");
});

it("looks for a line as a call wrote it, whatever an editor on Windows put around it", () => {
  const path = join(makeTree({ "cart.cs": ["\ufeffusing System;\r\nclass Cart;\r"] }), "cart.cs");
  expect([lineOf(path, 1), lineOf(path, 2)]).toEqual(["using System;", "class Cart;"]);
  expect(() => lineOf(path, 3)).toThrow("has 2 lines.");
  const short = join(makeTree({ "one.cs": ["class Cart;"] }), "one.cs");
  expect(() => lineOf(short, 9)).toThrow("has 1 line.");
});

it("says what is wrong with the line that it was given", () => {
  const folder = makeTree({ "cart.ts": ["let a;", "", "}"] });
  const lineAt = (name: string, line: number) => () => lineOf(join(folder, name), line);
  expect(lineAt("none.ts", 1)).toThrow(/^there is no file .*none\.ts\. Give its path/);
  expect(lineAt(".", 1)).toThrow(/ is a folder\. Give a file in it\.$/);
  for (const line of [2, 3])
    expect(lineAt("cart.ts", line)).toThrow(`line ${line} of ${join(folder, "cart.ts")} has fewer than 4`);
});
