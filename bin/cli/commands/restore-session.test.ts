import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { restoreSession } from "./restore-session.mjs";

it("says how many files it wrote, and how large they are together as all commands do", async () => {
  const to = mkdtempSync(join(tmpdir(), "backscroll-restore-"));
  const said = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => {
    said.mockRestore();
    rmSync(to, { recursive: true });
  });
  const log = "x".repeat(1_260_000);
  const path = "projects/-a/abc.jsonl";
  const server = await fakeApi(({ url = "" }, response) => {
    if (url.includes("path=")) return void response.end(log);
    const answers = {
      health: { indexing: { phase: "done" } },
      originals: { files: [{ path, bytes: log.length }] },
    };
    const [, answer] = Object.entries(answers).find(([name]) => url.includes(name)) ?? [];
    response.end(JSON.stringify(answer ?? { sessions: [{ id: "abc" }], nextCursor: null }));
  });
  await restoreSession(server, { session: "abc", to });
  expect(said.mock.calls.flat().join("")).toBe(`Restored 1 file, 1.3 MB, to ${to}\n`);
  expect(readFileSync(join(to, path), "utf8")).toBe(log);
});
