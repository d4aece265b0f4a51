import { rmSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { type ScanTask, scansBy } from "./scan-pool";

let dir: string;
let path: string;
beforeEach(() => {
  dir = makeTree({ [`projects/-shop/${uuid(1)}.jsonl`]: [prompt("Begin")] });
  path = `${dir}/projects/-shop/${uuid(1)}.jsonl`;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Scans a session whose logs have so many bytes while the thread is free or not; what the thread was asked for. */
async function scanned({ bytes, isFree }: { bytes: number; isFree: boolean }) {
  const ask = vi.fn<(task: ScanTask) => Promise<never>>(async () =>
    Promise.reject(new Error("by the thread")),
  );
  const request = {
    root: dir,
    files: [{ path, key: "m", agentId: null }],
    logs: [{ key: "m", agentId: null, meta: null }],
  };
  const scans = scansBy({ ask, isFree }, () => "index.db");
  const answer = await scans.scan(request, () => undefined, bytes).catch((error: Error) => error.message);
  return { answer, asked: ask.mock.calls.map(([{ index }]) => index) };
}

it("a small session does not wait for the thread that scans", async () => {
  const { answer, asked } = await scanned({ bytes: statSync(path).size, isFree: false });
  expect(asked).toEqual([]);
  expect(answer).toMatchObject({ unread: [], files: [{ path, bytes: statSync(path).size }] });
});

it("any other is scanned there, and a small one too where nothing else is", async () => {
  expect(await scanned({ bytes: 200 << 20, isFree: false })).toEqual({
    answer: "by the thread",
    asked: ["index.db"],
  });
  expect(await scanned({ bytes: 100, isFree: true })).toEqual({
    answer: "by the thread",
    asked: ["index.db"],
  });
});
