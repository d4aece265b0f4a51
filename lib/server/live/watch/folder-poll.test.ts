import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { FolderPoll } from "./folder-poll";

it("reports a look that fails, and looks again", async () => {
  const reports = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const folder = await mkdtemp(join(tmpdir(), "backscroll-poll-"));
  const changed = vi.fn<(path: string) => void>();
  const poll = new FolderPoll(changed);
  onTestFinished(async () => {
    poll.stop();
    reports.mockRestore();
    await rm(folder, { recursive: true });
  });
  poll.add(folder);
  await poll.looked();
  changed.mockImplementationOnce(() => {
    throw new Error("a bug");
  });
  await writeFile(join(folder, "one.jsonl"), "{}\n");
  await vi.waitFor(() => expect(reports).toHaveBeenCalledOnce(), { timeout: 5_000 });
  expect(reports.mock.calls[0]?.map(String)).toEqual(["Looking for changes failed:", "Error: a bug"]);
  await writeFile(join(folder, "two.jsonl"), "{}\n");
  await vi.waitFor(() => expect(changed).toHaveBeenCalledWith(join(folder, "two.jsonl")), { timeout: 5_000 });
});

it("tells nothing and polls no folder more once it was stopped, although a look is under way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "backscroll-poll-"));
  const changed = vi.fn<(path: string) => void>();
  const poll = new FolderPoll(changed);
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "inner"));
  await writeFile(join(folder, "inner", "one.jsonl"), "{}\n");
  poll.add(folder);
  poll.stop();
  await poll.looked();
  poll.add(join(folder, "inner"), { isNew: true });
  await poll.looked();
  expect(changed).not.toHaveBeenCalled();
  expect(poll.size).toBe(1);
});
