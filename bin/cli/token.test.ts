import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepToken } from "./token.mjs";

let folder = "";
/** What another start does after this one has found no token. */
let meanwhile: (() => void) | null = null;

vi.mock("node:fs", async (load) => {
  const real = await load<typeof import("node:fs")>();
  const writeFileSync: typeof real.writeFileSync = (...args) => {
    real.writeFileSync(...args);
    const other = meanwhile;
    meanwhile = null;
    other?.();
  };
  return { ...real, writeFileSync };
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-token-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const kept = () => readFileSync(join(folder, "token"), "utf8").trim();

it("is the same for two first starts at once, and for every later one", () => {
  const others = "o".repeat(43);
  meanwhile = () => writeFileSync(join(folder, "token"), `${others}\n`);
  expect([keepToken(folder, false), keepToken(folder, false)]).toEqual([others, others]);
  expect(readdirSync(folder)).toEqual(["token"]);
});

it("is another when it is asked to be", () => {
  const first = keepToken(folder, false);
  expect(first).toMatch(/^[\w-]{43}$/);
  const second = keepToken(folder, true);
  expect(second).not.toBe(first);
  expect([kept(), readdirSync(folder)]).toEqual([second, ["token"]]);
});

it.skipIf(!existsSync("/dev/full"))("leaves nothing of itself on a full disk", () => {
  symlinkSync("/dev/full", join(folder, `token.${process.pid}`));
  expect(() => keepToken(folder, false)).toThrow("ENOSPC");
  expect(readdirSync(folder)).toEqual([]);
});
