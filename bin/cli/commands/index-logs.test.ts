import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { indexLogs, waitForIndex } from "./index-logs.mjs";

it("prints at the end what the page would warn of, so that no table is taken for more than it is", async () => {
  const indexing = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
  const warnings = [
    { code: "prices-unusable", message: "The prices cannot be used", hint: "Correct the file." },
    { code: "unreadable", message: "Permission denied", hint: "Check who may read it.", path: "/logs/a" },
  ];
  const server = await fakeApi((_, response) => response.end(JSON.stringify({ indexing, warnings })));
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => stderr.mockRestore());
  expect(await waitForIndex(server)).toEqual(indexing);
  expect(stderr.mock.calls.map(([text]) => text)).toEqual([
    "backscroll: The prices cannot be used. Correct the file.\n",
    "backscroll: /logs/a: Permission denied. Check who may read it.\n",
  ]);
});

it.each([
  [100, "██████░░░░░░░░░░░░░░░░░░░░░░░░  21 % scanning 812 of 1,904 logs, 56 MB of 266 MB"],
  [60, "██░░░░░░░  21 % scanning 812 of 1,904 logs, 56 MB of 266 MB"],
  [40, "█░░░░░  21 % scanning 812 of 1,904 logs"],
  [34, "21 % scanning 812 of 1,904 logs"],
])("in a terminal of %d columns the bar gives way to the phase and the counts", async (columns, shown) => {
  const progress = { filesDone: 812, filesTotal: 1_904, bytesDone: 56e6, bytesTotal: 266e6 };
  const indexing = { phase: "scanning", done: true, ...progress };
  const server = await fakeApi((_, response) => response.end(JSON.stringify({ indexing, warnings: [] })));
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const { columns: before, isTTY } = process.stderr;
  onTestFinished(() => {
    stderr.mockRestore();
    Object.assign(process.stderr, { columns: before, isTTY });
  });
  Object.assign(process.stderr, { columns, isTTY: true });
  await waitForIndex(server);
  expect(stderr.mock.calls[0]?.[0]).toBe(`\r${shown}\x1b[K`);
});

it("ends when all that was read is kept as well, or cannot be", async () => {
  const indexing = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
  const filling = { filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0 };
  const full = { code: "archive-unwritable", message: "The disk is full", hint: "Make room.", path: "/kept" };
  for (const last of [
    { filling: null, problems: [] },
    { filling, problems: [full] },
  ]) {
    const answers = [{ filling, problems: [] }, last];
    let asked = 0;
    const server = await fakeApi(({ url = "" }, response) => {
      if (url === "/api/archive") asked += 1;
      response.end(JSON.stringify({ indexing, warnings: [], ...answers[asked - 1] }));
    });
    const told: unknown[] = [];
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, "write").mockImplementation((text) => {
        told.push(text);
        return true;
      });
    await indexLogs(server);
    vi.restoreAllMocks();
    expect(asked).toBe(2);
    expect(told[0]).toMatch(/^Indexed 1 log, 1 B, in \d\.\d s\n$/);
    expect(told.slice(1)).toEqual(
      last.problems.map(() => "backscroll: /kept: The disk is full. Make room.\n"),
    );
  }
});
