import { expect, it } from "vitest";
import { parseRecord } from "@/lib/log/records/parse-record";
import { GitFinder } from "./git-facts";

const encoder = new TextEncoder();

/** Gives a finder lines of a log. */
function take(finder: GitFinder, ...lines: Record<string, unknown>[]): GitFinder {
  for (const json of lines) {
    const bytes = encoder.encode(JSON.stringify(json));
    const record = parseRecord({ bytes, offset: 0, length: bytes.length, line: 1 });
    finder.take(record, () => record);
  }
  return finder;
}

const call = (id: string, command: string) => ({
  type: "assistant",
  message: { id, role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command } }] },
});
const result = (id: string, content: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
});
const COMMITTED = "[main 0a1b2c3] Fix the retry\n 1 file changed, 1 insertion(+)";

it("a commit is what git printed, in the result of a call of git and in no other", () => {
  const finder = take(
    new GitFinder("s"),
    call("t1", "git commit -m 'Fix the retry'"),
    call("t2", "cat notes.txt"),
  );
  expect(take(finder, result("t2", COMMITTED.replace("0a1b2c3", "fffffff"))).facts().commits).toEqual([]);
  expect(take(finder, result("t1", COMMITTED)).facts()).toEqual({
    commits: ["0a1b2c3"],
    requests: [],
    asked: [],
  });
});

it("a call whose result comes after an append is remembered until then", () => {
  const before = take(new GitFinder("s"), call("t1", "git commit -m 'Fix the retry'")).facts();
  expect(before).toEqual({ commits: [], requests: [], asked: [["t1", "git commit -m 'Fix the retry'"]] });
  expect(take(new GitFinder("s", before), result("t1", COMMITTED)).facts().commits).toEqual(["0a1b2c3"]);
});

it("a commit that is printed in short and in full is one, named in full", () => {
  const full = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567";
  const finder = take(new GitFinder("s"), call("t1", "git commit -m x"), result("t1", COMMITTED));
  take(finder, call("t2", "git commit -m y"), result("t2", COMMITTED.replace("0a1b2c3", full)));
  expect(finder.facts().commits).toEqual([full]);
  finder.clear();
  expect(finder.facts().commits).toEqual([]);
});
