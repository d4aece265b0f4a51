// @vitest-environment page
import { act, type ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { Toaster } from "@/components/ui/toast";
import { copiedTexts } from "@/lib/testing/copied-texts";
import { drawnPage } from "@/lib/testing/drawn-page";
import { AgentReturnRowView } from "./agent-rows";
import { CompactionRowView } from "./compaction-row";
import { EventRowView } from "./note-row";
import { ThinkingRowView } from "./text-rows";

vi.mock("@/lib/client/copy-text", async () => (await import("@/lib/testing/copied-texts")).COPY_MODULE);

const WHOLE = `The answer begins here. ${"word ".repeat(400)}and this is its end.`;
const RECORD = { type: "user", message: { content: [{ type: "text", text: WHOLE }] } };
const cutAt = (limit: number) => ({ text: WHOLE.slice(0, limit), cut: true, length: WHOLE.length });
const ROW = { key: "k", recordId: "m~10", block: 0, turn: 1, atMs: 1, lanes: [], spine: 0, shows: [] };

let record: object | null = RECORD;

beforeEach(() => {
  record = RECORD;
  copiedTexts.length = 0;
  vi.stubGlobal("fetch", async () =>
    record
      ? Response.json(record)
      : Response.json({ error: { code: "gone", message: "The log is gone" } }, { status: 404 }),
  );
});

const show = (element: ReactNode) =>
  drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0, toggleOpen: () => undefined } as never}>
      {element}
      <Toaster />
    </ThreadContext.Provider>,
  );

async function click(name: string): Promise<void> {
  const button = [...document.querySelectorAll<HTMLButtonElement>("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent)?.includes(name) ?? false,
  );
  if (!button) throw new Error(`no ${name}: ${document.body.textContent}`);
  await act(async () => button.click());
}

const RETURNED = {
  ...ROW,
  kind: "agent-return",
  agentId: "a",
  lane: 1,
  notice: null,
  text: cutAt(600),
  name: null,
};

it("all of an agent's answer is copied, though the row has only its beginning", async () => {
  await show(<AgentReturnRowView open selected={false} row={RETURNED as never} />);
  await click("Copy answer");
  await act(() => vi.waitFor(() => expect(copiedTexts).toEqual([WHOLE])));
});

it("says why nothing is copied where the rest cannot be read", async () => {
  record = null;
  await show(<AgentReturnRowView open selected={false} row={RETURNED as never} />);
  await click("Copy answer");
  await act(() => vi.waitFor(() => expect(document.body.textContent).toContain("The log is gone")));
  expect(copiedTexts).toEqual([]);
});

it("all of the thinking is copied, and its words are not said to be fewer", async () => {
  const row = { ...ROW, kind: "thinking", redacted: false, text: cutAt(1_000) };
  await show(<ThinkingRowView open selected={false} row={row as never} />);
  expect(document.body.textContent?.match(/\d+\+ words/g)).toHaveLength(2);
  await click("Copy thinking");
  await act(() => vi.waitFor(() => expect(copiedTexts).toEqual([WHOLE])));
});

it("all of a summary is copied, though it stands on a line of its own", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json(path.includes("m~20") ? RECORD : { type: "system", subtype: "compact_boundary" });
  });
  const summary = cutAt(600);
  const row = {
    ...ROW,
    kind: "compaction",
    shows: ["m~20.0"],
    trigger: "auto",
    summary,
    preTokens: 1,
    postTokens: 1,
  };
  await show(<CompactionRowView open selected={false} row={row as never} />);
  await click("Copy summary");
  await act(() => vi.waitFor(() => expect(copiedTexts).toEqual([WHOLE])));
  expect(asked).toHaveLength(2);
});

it("what a person typed behind a command is there whole, though it is all that the row says", async () => {
  const args = `${"word ".repeat(60)}and this is its end.`;
  const row = {
    ...ROW,
    ...{ kind: "event", event: "command", level: "info", label: `/plan ${args}` },
    text: { text: "", cut: false, length: 0 },
  };
  await show(<EventRowView open selected={false} row={row as never} />);
  expect(document.querySelector("pre")?.textContent).toBe(`/plan ${args}`);
  await click("Copy text");
  expect(copiedTexts).toEqual([`/plan ${args}`]);
  const short = { ...row, label: "/compact" };
  await show(<EventRowView open selected={false} row={short as never} />);
  expect(document.querySelector("[aria-expanded]")).toBeNull();
});
