// @vitest-environment page
import { beforeEach, expect, it, vi } from "vitest";
import type { ThreadStore } from "@/components/thread/thread-store";
import { copiedTexts } from "@/lib/testing/copied-texts";
import type { Detail, Row } from "@/lib/wire/rows";
import { copySelectedRows } from "./selected-rows";

const said = vi.hoisted(() => [] as string[]);
vi.mock("@/lib/client/copy-text", async () => (await import("@/lib/testing/copied-texts")).COPY_MODULE);
vi.mock("@/components/ui/toast", () => ({
  toast: (text: string) => said.push(text),
  toastFailure: (error: Error) => said.push(error.message),
}));

let asked: URL[];
let rowsOfThread: Row[] = [];

beforeEach(() => {
  for (const list of [copiedTexts, said]) list.length = 0;
  asked = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(new URL(path, "http://127.0.0.1"));
    return new Response("# Markdown");
  });
});

const answer = (recordId: string) =>
  ({ kind: "text", recordId, block: 0, text: { text: `answer ${recordId}`, cut: false, length: 1 } }) as Row;
const RUN = { kind: "run", recordId: "m~3", lastRecordId: "m~9", calls: 4 } as Row;

const copy = (
  rows: { selected: Row | null; from?: Row },
  { agent = null, detail = "tools" }: { agent?: string | null; detail?: Detail } = {},
) => {
  const { selected, from } = rows;
  const thread = {
    sessionId: "s",
    get: () => ({ choice: { agent, branch: "b2", detail } }),
    selected: () => selected && { index: 1, row: selected },
    chosen: () => (from && selected ? { first: from, last: selected, from: 7, rows: 3 } : null),
    shown: () => null,
    source: {
      rows: async (_: string, part: { from: number; count: number }) => {
        expect(part).toMatchObject({ from: 7, count: 3 });
        return { rows: rowsOfThread };
      },
    },
  };
  return copySelectedRows(thread as unknown as ThreadStore);
};

it("one row is copied as its text", async () => {
  await copy({ selected: answer("m~1") });
  expect([copiedTexts, said, asked]).toEqual([["answer m~1"], ["Answer copied"], []]);
});

it("several are copied as Markdown, of the branch that is read", async () => {
  await copy({ from: answer("m~1"), selected: RUN });
  expect([copiedTexts, said]).toEqual([["# Markdown"], ["3 rows copied as Markdown"]]);
  const [{ pathname, searchParams }] = asked as [URL];
  expect(pathname).toBe("/api/sessions/s/export");
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ format: "md", branch: "b2", records: "m~1..m~9", tilde: "1" },
  });
  expect(searchParams.has("tools")).toBe(false);
});

it("what the view hides between them is not copied", async () => {
  await copy({ from: answer("m~1"), selected: answer("m~5") }, { detail: "conversation" });
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({ tools: "0", thinking: "0" });
});

it("a run of calls is copied whole", async () => {
  await copy({ selected: RUN });
  expect(asked[0]?.searchParams.get("records")).toBe("m~3..m~9");
  expect(said).toEqual(["4 calls copied as Markdown"]);
});

it("several of an agent's thread are put together, those that the list does not hold as well", async () => {
  const words = (text: string) => ({ text, cut: false, length: text.length });
  const prompt = { kind: "turn", recordId: "m~2", block: 0, prompt: words("look\nthere") } as Row;
  const call = {
    ...{ kind: "tool", recordId: "m~3", block: 0, name: "Bash", server: null, subject: "echo `id`" },
    ...{ result: "exit 1" },
  } as Row;
  rowsOfThread = [answer("m~1"), prompt, call];
  await copy({ from: answer("m~1"), selected: answer("m~5") }, { agent: "a1" });
  expect(copiedTexts).toEqual(["answer m~1\n\n> look\n> there\n\n- **Bash** `` echo `id` `` — exit 1"]);
  expect([said, asked]).toEqual([["3 rows copied as Markdown"], []]);
});

it("one of an agent's thread is copied as its text", async () => {
  await copy({ selected: answer("m~5") }, { agent: "a1" });
  expect([copiedTexts, said]).toEqual([["answer m~5"], ["Answer copied"]]);
});

it("says that nothing is selected", async () => {
  await copy({ selected: null });
  expect([copiedTexts, said]).toEqual([[], ["Select a row first"]]);
});
