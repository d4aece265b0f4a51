import { resolve } from "node:path";
import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

const commandOf = (args: string) => readOptions(args.split(" "), {}).command;

it("takes one session, or for a zip several", () => {
  expect(commandOf("export abc --format md -o x.md")).toEqual({
    name: "export",
    sessions: ["abc"],
    query: "format=md",
    output: resolve("x.md"),
    isZip: false,
  });
  const several = "export a b c --format md --to x.zip --redact --tilde --relative --comments";
  expect(readOptions(several.split(" "), {})).toMatchObject({
    command: {
      sessions: ["a", "b", "c"],
      query: "format=md&redact=1&tilde=1&relative=1&comments=1",
      output: resolve("x.zip"),
      isZip: true,
    },
    paths: [],
  });
  const part =
    "export abc --format json --redact --branch 2 --turns 3-7 --without thinking,tools,agents,images";
  expect(commandOf(part)).toMatchObject({
    query: "format=json&redact=1&branch=2&turns=3-7&thinking=0&tools=0&agents=0&images=0",
  });
});

it("takes - for standard output, and ./- for a file of that name", () => {
  for (const args of [
    "export abc --format md -o -",
    "export a b --format md --to -",
    "annotations export --output -",
  ])
    expect(commandOf(args), args).toMatchObject({ output: undefined });
  expect(commandOf("export abc --format md -o ./-")).toMatchObject({ output: resolve("-") });
});

it("asks for records of an export by both ends, or one by one", () => {
  const query = (records: string) => {
    const { command } = readOptions(["export", "abc", "--format", "md", "--records", records], {});
    return command?.name === "export" ? command.query : null;
  };
  expect(query("m~1k9..m~2ab")).toBe("format=md&records=m%7E1k9..m%7E2ab");
  expect(query("m~1k9,m~2ab")).toBe("format=md&records=m%7E1k9%2Cm%7E2ab");
  for (const records of ["3-7", "m~1..", "m~1..m~2..m~3", "m~1,", "m~1.0"])
    expect(() => query(records), records).toThrow(`"${records}" names no records.`);
});

it.each([
  [["export", "a", "--format", "md", "--turns", "0-3"], "names no turns. Give --turns a number, like 3"],
  [
    ["export", "a", "--format", "md", "--without", "text"],
    "Give --without any of thinking, tools, agents, images",
  ],
  [["export", "a", "--format", "jsonl", "--digest", "0"], "is no number of turns"],
  [["export", "a", "b", "--format", "md", "--to", "x", "--turns", "3"], "--turns is for one session"],
  [["export"], "give the session"],
  [["export", "abc"], "give --format one of html, md"],
  [["export", "abc", "--format", "pdf"], "give --format one of"],
  [["export", "abc", "--format", "log", "--tilde"], "--tilde does not go with --format log"],
  [["export", "abc", "--format", "trace", "--comments"], "--comments goes with --format html or md or json"],
  [["export", "abc", "--format", "jsonl", "--relative"], "--relative does not go with --format jsonl"],
])("refuses %j", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});
