// @vitest-environment page
import { act } from "react";
import { expect, it, onTestFinished } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { resetPreferences, setPreferences } from "@/lib/client/preferences";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Row } from "@/lib/wire/rows";
import { RowLine } from "./row-line";
import { TextRowView } from "./text-rows";

const atMs = new Date(2026, 10, 19, 9, 24, 7).getTime();
const BASE = { key: "k", recordId: "m~1", atMs, durationMs: 500, span: { fromMs: 0, toMs: 500 } };
const CALL = { ...BASE, kind: "tool", name: "Bash", subject: "ls" } as Row;
const TEXT = { ...BASE, kind: "text", text: { text: "Done.", cut: false, length: 5 }, usage: null } as never;

/** A call and an answer, both written at that time. */
async function drawRows() {
  onTestFinished(resetPreferences);
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0 } as never}>
      <RowLine row={CALL} open={null} name="Bash" subject="ls" />
      <TextRowView row={TEXT} open={false} selected={false} />
    </ThreadContext.Provider>,
  );
  return () => [...document.querySelectorAll("time")].map(({ textContent }) => textContent);
}

it("every row says when it was written once the reader wants that, and no row before", async () => {
  const times = await drawRows();
  expect(times()).toEqual([]);
  await act(async () => setPreferences({ rowTimes: true }));
  expect(times()).toEqual(["09:24:07", "09:24:07"]);
  expect(document.querySelector("time")?.title).toBe("Thu 19 Nov 2026, 09:24:07");
});

it("how long a row took says on hover when it was written", async () => {
  await drawRows();
  const took = [...document.querySelectorAll("span")].filter(({ textContent }) => textContent === "500 ms");
  expect(took.map(({ title }) => title)).toContain("Thu 19 Nov 2026, 09:24:07");
});
