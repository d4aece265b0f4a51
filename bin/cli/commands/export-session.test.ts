import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { exportSession } from "./export-session.mjs";

let folder = "";
let server: Awaited<ReturnType<typeof fakeApi>>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-export-"));
  server = await fakeApi(({ url = "" }, response) => {
    if (url.includes("endless")) return void response.write("half");
    if (url.includes("broken")) return void response.write("half", () => response.destroy());
    if (url.includes("agents")) response.setHeader("content-type", "application/zip");
    const list = { sessions: [{ id: "abc" }], nextCursor: null };
    response.end(JSON.stringify(url.includes("health") ? { indexing: { phase: "done" } } : list));
  });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function exported(query: string, output: string): Promise<void> {
  return exportSession(server, { sessions: ["abc"], query, output, isZip: false });
}

it("says of an export that the server broke off that it was not written, and leaves the file as it was", async () => {
  const output = join(folder, "a.md");
  for (const before of [[], ["a.md"]]) {
    await expect(exported("broken", output)).rejects.toThrow(
      `the server broke off (aborted), so ${output} was not written. Try again.`,
    );
    expect(readdirSync(folder)).toEqual(before);
    writeFileSync(output, "whole");
  }
  await expect(exported("broken", output)).rejects.toThrow("was not written");
  expect(readFileSync(output, "utf8")).toBe("whole");
});

it("says that a clone of a session with agents is a zip, where the file is not called one", async () => {
  const said = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => said.mockRestore());
  await exported("agents", join(folder, "a.zip"));
  expect(said).not.toHaveBeenCalled();
  await exported("agents", join(folder, "a.jsonl"));
  expect(said).toHaveBeenCalledWith(
    `backscroll: this session has agents, so ${join(folder, "a.jsonl")} is a zip of its log and theirs.\n`,
  );
});

it("leaves nothing of an export that is interrupted", async () => {
  const kill = vi.spyOn(process, "kill").mockImplementation(() => true);
  onTestFinished(() => kill.mockRestore());
  const output = join(folder, "a.md");
  void exported("endless", output).catch(() => undefined);
  await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1));
  process.emit("SIGINT", "SIGINT");
  expect(readdirSync(folder)).toEqual([]);
  expect(kill).toHaveBeenCalledWith(process.pid, "SIGINT");
});

it("writes over an earlier export, and through what is no file", async () => {
  const output = join(folder, "a.md");
  writeFileSync(output, "an earlier one, which is longer than the new one is and must not show behind it");
  await exported("format=md", output);
  await exported("format=md", devNull);
  expect(readFileSync(output, "utf8")).toBe('{"sessions":[{"id":"abc"}],"nextCursor":null}');
  expect(readdirSync(folder)).toEqual(["a.md"]);
});

it("says why a file cannot be written", async () => {
  const output = join(folder, "none", "a.md");
  await expect(exported("format=md", output)).rejects.toThrow(
    `cannot write ${output}: ENOENT. Give another file with --output FILE.`,
  );
});
