// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import { CompactionRowView } from "./compaction-row";

const ROW = {
  ...{ key: "m~1.0", recordId: "m~1", block: 0, turn: 1, atMs: null, lanes: [], spine: 0, shows: [] },
  ...{ kind: "compaction", trigger: "auto", preTokens: 155_000, postTokens: 21_000, durationMs: 61_000 },
  ...{ summary: null, answerBefore: "m~before", answerAfter: "m~after" },
};

async function show(more: object = {}, canShow = true) {
  const shown = vi.fn<(recordId: string) => void>();
  const toggleOpen = vi.fn<(key: string) => void>();
  const actions = { sessionId: "s", lane: 0, toggleOpen, ...(canShow ? { showContext: shown } : {}) };
  await drawnPage().draw(
    <ThreadContext.Provider value={actions as never}>
      <CompactionRowView row={{ ...ROW, ...more } as never} open={false} selected={false} />
    </ThreadContext.Provider>,
  );
  const press = (name: string) =>
    act(async () =>
      [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click(),
    );
  return { text: document.body.textContent, shown, toggleOpen, press };
}

it("says by what it came, how long it took, and how large the context was before and after", async () => {
  const { text } = await show();
  expect(text).toContain("155k → 21k tokens");
  expect(text).toContain("automatic · 1 m 1 s");
  expect((await show({ trigger: "manual", durationMs: null })).text).toContain("manual");
});

it("says nothing of what its log does not tell", async () => {
  const { text } = await show({ trigger: null, preTokens: null, postTokens: null, durationMs: null });
  expect(text).toMatch(/^CompactedContext before\s*and\s*after$/);
  expect((await show({ postTokens: null })).text).toContain("155k tokens");
});

it("leads to what the model was sent last before it, and first after it", async () => {
  const { shown, press } = await show();
  await press("before");
  await press("after");
  expect(shown.mock.calls).toEqual([["m~before"], ["m~after"]]);
});

it("leads only to contexts that there are, and nowhere on a page that shows none", async () => {
  expect((await show({ answerBefore: null })).text).toMatch(/Context after$/);
  expect((await show({ answerAfter: null })).text).toMatch(/Context before$/);
  expect((await show({ answerBefore: null, answerAfter: null })).text).not.toContain("Context");
  expect((await show({}, false)).text).not.toContain("Context");
});

it("is opened where it has a summary", async () => {
  const { toggleOpen, press } = await show({ summary: { text: "So far", cut: false, length: 6 } });
  await press("Summary");
  expect(toggleOpen.mock.calls).toEqual([["m~1.0"]]);
  expect((await show()).text).not.toContain("Summary");
});
