import { expect, test } from "vitest";
import { formatRecordId } from "@/lib/wire/ids";
import { ReportQueue } from "./queued-reports";

/** What a queue reports of lines: the offset of each, in the only file, with its text and whether it waits. */
function reportsOf(lines: readonly [offset: number, text: string, waits: boolean][], before?: ReportQueue) {
  const queue = new ReportQueue(before?.reports());
  for (const [offset, text, waits] of lines) queue.take("m", offset, { text, waits });
  return queue;
}

const ids = (...offsets: number[]) => offsets.map((offset) => formatRecordId("m", offset));

test("of a notification that was queued and delivered, the queued line repeats the delivered one", () => {
  const queue = reportsOf([
    [0, "done", true],
    [10, "failed", true],
    [20, "done", false],
  ]);
  expect(queue.reports()).toMatchObject({ repeats: ids(0), waiting: [[expect.any(String), ids(10)[0]]] });
});

test("one that was queued twice (2.1.42) is told by the delivered line alone", () => {
  const queue = reportsOf([
    [0, "done", true],
    [10, "done", true],
    [20, "done", false],
  ]);
  expect(queue.reports()).toEqual({ repeats: ids(10, 0), waiting: [] });
});

test("what waited when a log was read is known when it goes on", () => {
  const queue = reportsOf([[20, "done", false]], reportsOf([[0, "done", true]]));
  expect(queue.reports()).toEqual({ repeats: ids(0), waiting: [] });
  queue.clear();
  expect(queue.reports()).toEqual({ repeats: [], waiting: [] });
});
