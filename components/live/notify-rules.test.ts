import { describe, expect, it } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { LiveCall } from "@/lib/wire/live";
import { callQueryProblem, NO_RULES, type NotifyRules, parseRules, whyTold } from "./notify-rules";

const call = (name: string, text: string, more: Partial<LiveCall> = {}): LiveCall => ({
  ...{ recordId: "m~1" as RecordId, name, subject: text, text, failed: false, isNew: true, agentId: null },
  ...more,
});

const why = (one: LiveCall, rules: Partial<NotifyRules>) =>
  whyTold(one, { ...NO_RULES, ...rules })?.why ?? null;

describe("notifications about a call", () => {
  it("are off by default", () => {
    expect(why(call("Read", "/home/dev/.env", { failed: true }), {})).toBeNull();
  });

  it("are for a file of secrets that it names, but not for an example of one or another name", () => {
    const told = (text: string) => why(call("Bash", text), { env: true });
    for (const text of ["cat .env", "/home/dev/shop/.env", "source ./.env.local", "FILE='.env'; cat $FILE"])
      expect(told(text)).toBe(`Reads a .env file: Bash ${text}`);
    for (const text of ["cat .env.example", "ls .environment", "echo my.env.ts", "vite.env", "printenv"])
      expect(told(text)).toBeNull();
  });

  it("are for a match of a query, once", () => {
    const told = (calls: string, one = call("Bash", "git push --force")) => why(one, { calls });
    expect(told("tool:Bash push")).toBe("A call is found by tool:Bash push: Bash git push --force");
    expect(told('"push --force" OR deploy')).not.toBeNull();
    expect(told("tool:Edit push")).toBeNull();
    expect(told("tool:ba* push")).not.toBeNull();
    expect(told("tool:mcp__*", call("mcp__tracker__close_issue", "12"))).not.toBeNull();
    // Another tool than Task.
    expect(told("tool:Task", call("TaskOutput", "b1"))).toBeNull();
    expect(told("push -force")).toBeNull();
    expect(told("  ")).toBeNull();
    expect(told("push", call("Bash", "git push", { isNew: false, failed: true }))).toBeNull();
  });

  it("are for its failure", () => {
    const ofAgent = call("Bash", "npm test", { failed: true, isNew: false, agentId: "a1" });
    expect(why(ofAgent, { errors: true })).toBe("A call of an agent has failed: Bash npm test");
    const failed = call("Bash", "npm test", { failed: true, isNew: false });
    expect(why(failed, { errors: true })).toBe("A call has failed: Bash npm test");
    expect(why(call("Bash", "npm test"), { errors: true })).toBeNull();
  });
});

it("names the part of a query that does not apply to a call", () => {
  expect(callQueryProblem("tool:Bash rm")).toBeNull();
  expect(callQueryProblem("is:starred rm")).toBe("is: does not apply to a single call");
  expect(callQueryProblem("/rm -rf/")).toContain("can’t be used");
});

it("reads rules in their current and their former form", () => {
  expect(parseRules(null)).toEqual(NO_RULES);
  expect(parseRules("needs ends")).toEqual({ ...NO_RULES, waits: true, ends: true });
  expect(parseRules('{"env":true,"calls":"push","sound":1}')).toEqual({
    ...{ ...NO_RULES, env: true, calls: "push" },
  });
  expect(parseRules("{")).toEqual(NO_RULES);
});
