import { describe, expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { commandLine, tagContent, userTextKind, withoutTags } from "./user-text";

describe("kinds of user lines", () => {
  test.each([
    ["Fix the <b>bold</b> heading", "prompt"],
    ["<div>Why does this not centre?</div>", "prompt"],
    ["<command-name>/review</command-name>", "command"],
    [
      "<command-message>review is running…</command-message>\n<command-name>/review</command-name>",
      "command",
    ],
    ["<bash-input>ls</bash-input>", "bash"],
    ["<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", "output"],
    ["<local-command-stdout></local-command-stdout>", "output"],
    ["Unknown slash command: tidy", "output"],
    ["Unknown skill: tidy", "output"],
    ["Unknown command: /tidy", "output"],
    ["Unknown skill: what does it mean?", "prompt"],
    ["[Request interrupted by user for tool use]", "interruption"],
    ["<task-notification>\n<task-id>b1</task-id>", "notification"],
    ["<agent-notification>\n<agent-id>a1</agent-id>", "notification"],
    ["<system-reminder>be brief</system-reminder>", "tagged"],
    ["Stop hook feedback:\n- run the tests", "tagged"],
    ["Bash operation feedback:\n- not good", "tagged"],
    ["Bash operation feedback: what does it mean?", "prompt"],
    ["<session-start-hook>context</session-start-hook>", "tagged"],
    ["", "prompt"],
  ])("%j", (text, kind) => {
    expect(userTextKind(text)).toBe(kind);
  });
});

test("a tag's content is trimmed; one that does not close reaches to the end", () => {
  expect(tagContent("<a>\n x </a><b>y</b>", "a")).toBe("x");
  expect(tagContent("<a>x", "a")).toBe("x");
  expect(tagContent("<b>y</b>", "a")).toBeNull();
});

test("a command reads as it was typed", () => {
  expect(commandLine("<command-name>/greet</command-name><command-args>Bob</command-args>")).toBe(
    "/greet Bob",
  );
  expect(commandLine("<command-message>tidy</command-message>")).toBe("/tidy");
});

test("what stands between the tags of a text is read in its length, blanks and empty lines too", () => {
  expect(withoutTags("<a>  one \n\n  two  <b>\n</b> three</a>")).toBe("one\ntwo\nthree");
  for (const blank of [" ", "\n", "\t \n "]) {
    const growth = timeGrowth((size) => void withoutTags(`a${blank.repeat(size / blank.length)}b`), 1 << 10);
    expect(growth, JSON.stringify(blank)).toBeLessThan(MAX_LINEAR_GROWTH);
  }
});
