// @vitest-environment page
import { expect, it } from "vitest";
import { ThreadContext } from "@/components/content/row-actions";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Row } from "@/lib/wire/rows";
import { ThreadRow } from "./thread-row";

const ROW = { key: "k", recordId: "m~10", block: 0, turn: 1, atMs: null, span: null, durationMs: null };
const EVENT = { ...ROW, kind: "event", event: "note", level: "info", label: "planned", text: { text: "" } };

/** What a page says that was left open while its server was updated. */
async function drawn(row: object): Promise<string> {
  await drawnPage().draw(
    <ThreadContext.Provider value={{ sessionId: "s", lane: 0, toggleOpen: () => undefined } as never}>
      <ThreadRow row={row as Row} turnMs={null} open={false} selected={false} />
    </ThreadContext.Provider>,
  );
  return document.body.textContent ?? "";
}

it("a row of a kind that only a newer server knows is there, and opens as its record", async () => {
  const text = await drawn({ ...ROW, kind: "forecast", outlook: "sun" });
  expect(text).toContain("forecast");
  expect(document.querySelector("[aria-expanded]")).not.toBeNull();
});

it("a link to another session is there in whatever way its row was carried over", async () => {
  const carried = { way: "beside", sessionId: "s2", title: "The other", recordId: null, tool: null };
  await drawn({ ...EVENT, carried });
  const link = document.querySelector("a");
  expect([link?.getAttribute("href"), link?.title]).toEqual([
    "/sessions/s2",
    expect.stringContaining("The other"),
  ]);
});

it("a mark of a line is shown by its word", async () => {
  expect(await drawn({ ...EVENT, marks: ["hidden"] })).toContain("hidden");
});
