// @vitest-environment page
import { beforeEach, expect, it, vi } from "vitest";
import { makeHit } from "@/lib/testing/search-hit";
import { readHitText } from "./copy-hit";

const ROW = { block: 0, turn: 1, atMs: 1, span: null, durationMs: null };
const PROMPT = { ...ROW, kind: "turn", key: "m~1.0", recordId: "m~1" };
const CALL = { ...ROW, kind: "tool", key: "m~5.1", recordId: "m~5", block: 1, shows: ["m~9.0"] };
const text = (whole: string) => ({ text: whole, cut: false, length: whole.length });

let asked: URL[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (path: string) => {
    const url = new URL(path, "http://127.0.0.1");
    asked.push(url);
    if (url.pathname.includes("/calls/"))
      return Response.json({
        input: { command: "npm test" },
        results: [{ recordId: "m~9", blocks: [{ kind: "text", text: text("3 failed\nall of it") }] }],
      });
    const rows = [{ ...PROMPT, prompt: text("Fix the flaky test.\nThen push.") }, CALL];
    return Response.json({ rows, from: 7, at: 7, total: 20, revision: 1, branch: null });
  });
});

it("a prompt is copied whole, with its lines, whatever part of it was found", async () => {
  const hit = makeHit({ field: "prompt", record: "m~1", snippet: "flaky test. Then" });
  expect(await readHitText(hit)).toBe("Fix the flaky test.\nThen push.");
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
    ...{ around: "m~1", detail: "everything" },
  });
});

it("of a call its command is copied, or what it returned, by which of them was found", async () => {
  const input = makeHit({ field: "input", record: "m~5", block: 1, snippet: "npm test Run" });
  const output = makeHit({ field: "output", record: "m~9", block: 0, snippet: "3 failed all" });
  expect(await readHitText(input)).toBe("npm test");
  expect(await readHitText(output)).toBe("3 failed\nall of it");
});

it("a title is copied as it is, without asking for a row", async () => {
  expect(await readHitText(makeHit({ field: "title", snippet: "Charged twice" }))).toBe("Charged twice");
  expect(asked).toEqual([]);
});

it("looks in the agent's thread for what an agent was told", async () => {
  await readHitText(makeHit({ field: "prompt", record: "m~1", agent: "a7" }));
  expect(asked[0]?.searchParams.get("agent")).toBe("a7");
});
