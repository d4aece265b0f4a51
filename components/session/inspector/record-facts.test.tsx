// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { RecordDetail } from "@/lib/wire/record";
import { RecordFacts } from "./record-facts";

const RECORD = {
  ...{ recordId: "m~0", type: "user", uuid: null, parent: null, children: [], version: null, atMs: null },
  ...{ at: { file: "a.jsonl", line: 1, offset: 0, length: 1 }, blobs: [], unreadable: null },
  raw: { text: "", cut: false, length: 0 },
} as unknown as RecordDetail;

it.each([
  ["is copied as it is shown", { type: "user" }, ["Copy JSON"]],
  ["is not offered where it is not shown, of a record that is too long for a tree", null, []],
])("a record's JSON %s", async (_, json, offered) => {
  await drawnPage().draw(
    <RecordFacts record={{ ...RECORD, json }} onGo={() => undefined} onInspect={() => undefined} />,
  );
  const labels = [...document.querySelectorAll("button")].map((one) => one.getAttribute("aria-label"));
  expect(labels.filter((label) => label !== null)).toEqual(offered);
});
