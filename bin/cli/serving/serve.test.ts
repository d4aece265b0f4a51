import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { refuseWithoutSqlite } from "./serve.mjs";

const ROOT = join(import.meta.dirname, "../../..");

it("asks for a newer Node where neither Node nor a package brings a SQLite", () => {
  const empty = mkdtempSync(join(tmpdir(), "backscroll-serve-"));
  expect(() => refuseWithoutSqlite(empty, false)).toThrow("Use Node 22.13 or newer, or install again.");
  expect(() => refuseWithoutSqlite(empty, true)).not.toThrow();
  expect(() => refuseWithoutSqlite(ROOT, false)).not.toThrow();
  rmSync(empty, { recursive: true });
});
