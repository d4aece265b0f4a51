import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, makeTree, prompt, toText } from "@/lib/testing/log-tree";
import { readLogFacts } from "./read-log-facts";

const KIB = 1024;
const filler = (bytes: number) => ({ type: "attachment", attachment: { text: "x".repeat(bytes) } });

function factsOf(lines: Parameters<typeof toText>[0]) {
  return factsIn(makeTree({ "log.jsonl": lines }));
}

function factsIn(root: string) {
  const path = join(root, "log.jsonl");
  return readLogFacts(root, path, statSync(path).size);
}

describe("readLogFacts", () => {
  it("takes the first prompt and directory from the head, times and titles from the tail", () => {
    const facts = factsOf([
      prompt("first", { timestamp: "2026-01-01T00:00:00Z", gitBranch: "main" }),
      ...Array.from({ length: 40 }, () => filler(10 * KIB)),
      prompt("later", { timestamp: "2026-01-03T00:00:00Z", cwd: "/elsewhere", gitBranch: "HEAD" }),
      answer("last", { timestamp: "2026-01-02T00:00:00Z" }),
      { type: "custom-title", customTitle: "named" },
    ]);
    expect(facts).toMatchObject({
      cwd: "/home/dev/shop",
      firstPrompt: "first",
      customTitle: "named",
      gitBranch: "main",
      startedAtMs: Date.parse("2026-01-01T00:00:00Z"),
      lastActiveAtMs: Date.parse("2026-01-03T00:00:00Z"),
      models: ["claude-x"],
      lines: null,
    });
  });

  it("does not name what /clear begins after the command: it was given to the session before", () => {
    const clear = prompt("<command-name>/clear</command-name>\n<command-message>clear</command-message>");
    expect(factsOf([clear]).firstPrompt).toBeNull();
    expect(factsOf([clear, prompt("the next thing")]).firstPrompt).toBe("the next thing");
  });

  it("reads on to 1 MiB for a prompt behind book-keeping (2.1.330)", () => {
    const facts = factsOf([filler(300 * KIB), filler(300 * KIB), prompt("behind"), filler(2000 * KIB)]);
    expect(facts.firstPrompt).toBe("behind");
  });

  it("reads a first prompt with a pasted image to its end", () => {
    const image = { type: "image", source: { type: "base64", data: "A".repeat(3000 * KIB) } };
    const facts = factsOf([
      prompt("", { message: { role: "user", content: [image, { type: "text", text: "what is this" }] } }),
      ...Array.from({ length: 4 }, () => filler(1000 * KIB)),
    ]);
    expect(facts.firstPrompt).toBe("what is this");
  });

  it("takes no prompt of the tail for the first one", () => {
    const middle = Array.from({ length: 30 }, () => filler(100 * KIB));
    const facts = factsOf([answer("a"), ...middle, prompt("not the first")]);
    expect(facts).toMatchObject({ hasMessages: true, firstPrompt: null });
  });

  it("looks further back for a time where the log ends in one long line", () => {
    const facts = factsOf([
      prompt("p", { timestamp: "2026-01-01T00:00:00Z" }),
      filler(300 * KIB),
      answer("end"),
      filler(200 * KIB),
    ]);
    expect(facts.lastActiveAtMs).toBe(Date.parse("2026-01-02T03:04:06Z"));
  });

  it("reads a log to its end before calling it empty of messages", () => {
    const middle = Array.from({ length: 30 }, () => filler(100 * KIB));
    expect(factsOf([...middle, answer("deep"), ...middle])).toMatchObject({ hasMessages: true });
    expect(factsOf([...middle, ...middle])).toMatchObject({ hasMessages: false, lines: 60 });
  });

  it("takes a log of one line that is too long to hold for a session", () => {
    expect(factsOf([filler(10 * 1024 * KIB)])).toMatchObject({ hasMessages: true, lines: null });
  });

  it.each([
    ["side by side", ""],
    ["behind CR", "\r"],
  ])("takes prompt and times from the ends of a log whose records stand %s", (_, between) => {
    const root = makeTree({ "log.jsonl": [] });
    const records = [
      prompt("first", { timestamp: "2026-01-01T00:00:00Z" }),
      ...Array.from({ length: 12 }, () => filler(1000 * KIB)),
      answer("end", { timestamp: "2026-01-03T00:00:00Z" }),
    ];
    writeFileSync(join(root, "log.jsonl"), records.map((record) => JSON.stringify(record)).join(between));
    expect(factsIn(root)).toMatchObject({
      firstPrompt: "first",
      cwd: "/home/dev/shop",
      startedAtMs: Date.parse("2026-01-01T00:00:00Z"),
      lastActiveAtMs: Date.parse("2026-01-03T00:00:00Z"),
    });
  });

  it.each([["ahead of"], ["behind"]])(
    "lists a session with a line of many megabytes %s its records",
    (where) => {
      const records = [prompt("p"), ...Array.from({ length: 5 }, (_, n) => answer(String(n)))];
      const long = filler(20 * 1024 * KIB);
      const facts = factsOf(where === "behind" ? [...records, long] : [long, ...records]);
      expect(facts).toMatchObject({ hasMessages: true, cwd: "/home/dev/shop", models: ["claude-x"] });
      expect(facts.lastActiveAtMs).toBe(Date.parse("2026-01-02T03:04:06.000Z"));
    },
  );

  it("passes over what is no record, a half last line included", () => {
    const facts = factsOf(["", "\0\0\0", "{broken", "[1]", '"text"', prompt("whole")]);
    expect(facts).toMatchObject({ firstPrompt: "whole", lines: 6 });
    const root = makeTree({ "log.jsonl": [] });
    writeFileSync(join(root, "log.jsonl"), `${toText([prompt("done")])}{"type":"assist`);
    expect(factsIn(root)).toMatchObject({
      firstPrompt: "done",
      lines: 2,
    });
  });

  it("prefers a prompt to a built-in command, and a command to nothing", () => {
    const clear = "<command-name>/clear</command-name><command-message>clear</command-message>";
    expect(factsOf([prompt(clear), prompt("then this")]).firstPrompt).toBe("then this");
    expect(factsOf([prompt("<command-name>/cost</command-name>")]).firstPrompt).toBe("/cost");
    expect(
      factsOf([prompt("meta", { isMeta: true }), prompt("sub", { isSidechain: true })]).firstPrompt,
    ).toBeNull();
  });
});
