import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import * as disk from "@/lib/server/disk/replace-file";
import { LinkUses } from "./link-uses";

vi.mock("@/lib/server/disk/replace-file", { spy: true });

test("what a guest does a thousand times is written down a few times", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-uses-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const uses = new LinkUses(dataDir);
  const share = { id: "s1", expiresAtMs: Date.now() + 3_600_000 };
  uses.begin(share);
  for (let n = 0; n < 1_000; n++) uses.opened(share, null);
  await uses.settled();
  expect(JSON.parse(readFileSync(join(dataDir, "share-uses.json"), "utf8"))).toMatchObject([
    { openings: 1_000 },
  ]);
  expect(vi.mocked(disk.replaceFile).mock.calls.length).toBeLessThanOrEqual(2);
  uses.ended("s1");
  await uses.settled();
  expect(readFileSync(join(dataDir, "share-uses.json"), "utf8")).toBe("[]");
});
