import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeTree } from "@/lib/testing/log-tree";
import { onPlatform } from "@/lib/testing/on-platform";
import { removeLeftDrafts, replaceFile } from "./replace-file";

const held = vi.hoisted(() => ({ code: "EPERM", times: 0, tries: 0 }));

vi.mock("node:fs/promises", async (actual) => {
  const real = await actual<typeof import("node:fs/promises")>();
  const rename = async (from: string, to: string) => {
    held.tries += 1;
    if (held.tries > held.times) return real.rename(from, to);
    throw Object.assign(new Error(held.code), { code: held.code });
  };
  return { ...real, rename };
});
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

/** The result of rewriting a file while renaming fails this often. */
async function replaced(times: number, code = "EPERM"): Promise<string> {
  Object.assign(held, { code, times, tries: 0 });
  const folder = makeTree({ "shares.json": ["before"] });
  const path = join(folder, "shares.json");
  const fault = await replaceFile(path, "after").then(() => "", String);
  expect(readdirSync(folder)).toEqual(["shares.json"]);
  return `${readFileSync(path, "utf8").trim()} ${fault}`.trim();
}

test("a file that a virus scanner holds for a moment is replaced on Windows", async () => {
  onPlatform("win32");
  for (const code of ["EPERM", "EACCES", "EBUSY"]) expect(await replaced(2, code)).toBe("after");
  expect(await replaced(99)).toBe("before Error: EPERM");
  expect(await replaced(1, "ENOSPC")).toBe("before Error: ENOSPC");
});

test("on other systems a refusal is final", async () => {
  onPlatform("linux");
  expect(await replaced(1)).toBe("before Error: EPERM");
  expect(await replaced(0)).toBe("after");
});

test("what a killed process left of a file that it was replacing goes after an hour, and nothing else does", async () => {
  const folder = makeTree({ "shares.json": ["before"], "notes.new": ["somebody else's"] });
  const left = `facts.json.${randomUUID()}.new`;
  const fresh = `shares.json.${randomUUID()}.new`;
  for (const name of [left, fresh]) writeFileSync(join(folder, name), "half of i");
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [left, "shares.json", "notes.new"]) utimesSync(join(folder, name), longAgo, longAgo);
  await removeLeftDrafts(folder);
  expect(readdirSync(folder).sort()).toEqual(["notes.new", "shares.json", fresh].sort());
  await removeLeftDrafts(join(folder, "none"));
});
