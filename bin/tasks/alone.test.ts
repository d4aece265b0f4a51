import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { alone } from "./alone.mjs";

/** More than any system gives a process. */
const NOBODY = 2 ** 30;

let folder: string;
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-alone-"));
  told = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Several at once: how many were ever at work together, and who had waited. */
async function together(count: number) {
  let [atWork, most] = [0, 0];
  const waited = await Promise.all(
    Array.from({ length: count }, () =>
      alone(folder, async (hasWaited) => {
        atWork += 1;
        most = Math.max(most, atWork);
        await new Promise((resolve) => setTimeout(resolve, 5));
        atWork -= 1;
        return hasWaited;
      }),
    ),
  );
  return { most, waited };
}

test("one is at work at a time, and who has to wait is told why and knows it", async () => {
  expect(await together(3)).toEqual({ most: 1, waited: [false, true, true] });
  expect(told).toHaveLength(2);
  expect(told[0]).toContain(`remove ${join(folder, ".cache", "at-work")})`);
});

test("the next comes after a failure, and after one that was killed", async () => {
  await expect(alone(folder, () => Promise.reject(new Error("no network")))).rejects.toThrow("no network");
  // This process's own number may have been a killed one's.
  for (const pid of [NOBODY, process.pid]) {
    mkdirSync(join(folder, ".cache"), { recursive: true });
    writeFileSync(join(folder, ".cache", "at-work"), `${pid} 0a1b`);
    expect(await together(2)).toEqual({ most: 1, waited: [false, true] });
  }
  expect(readdirSync(join(folder, ".cache"))).toEqual([]);
  expect(existsSync(join(folder, ".cache", "at-work"))).toBe(false);
});
