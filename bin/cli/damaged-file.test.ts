import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { damagedFiles } from "./damaged-file.mjs";
import { findRunningServer } from "./running-server.mjs";
import { keepToken } from "./token.mjs";

/** A data folder, and what is printed on the terminal while it is used. */
function dataFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), "backscroll-kept-"));
  let printed = "";
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  onTestFinished(() => {
    spy.mockRestore();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { dataDir, printed: () => printed };
}

it("keeps a token from start to start without a word", () => {
  const { dataDir, printed } = dataFolder();
  const token = keepToken(dataDir, false);
  expect(keepToken(dataDir, false)).toBe(token);
  expect(printed()).toBe("");
});

it.each([
  ["spaces within", "not a token at all, is it"],
  ["a short one", "abc"],
  ["nothing", ""],
  ["bytes that are no text", "\u0000\ufffd".repeat(20)],
])("makes a new token and tells of it where the kept one is damaged: %s", (_name, text) => {
  const { dataDir, printed } = dataFolder();
  writeFileSync(join(dataDir, "token"), text);
  const token = keepToken(dataDir, false);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(printed()).toContain("the token kept in the data folder was damaged, so there is a new one");
  expect(readFileSync(join(dataDir, "token.damaged"), "utf8")).toBe(text);
  expect(damagedFiles().at(-1)).toMatchObject({ code: "kept-file-damaged", path: join(dataDir, "token") });
  expect(keepToken(dataDir, false)).toBe(token);
});

it("sets a folder aside that has the token's name", () => {
  const { dataDir, printed } = dataFolder();
  mkdirSync(join(dataDir, "token"));
  expect(keepToken(dataDir, false)).toMatch(/^[\w-]{43}$/);
  expect(printed()).toContain("was damaged");
});

it.each([
  ["null", "null"],
  ["a list", "[]"],
  ["a number for the roots", '{"pid":1,"host":"127.0.0.1","port":1,"token":"t","roots":7}'],
  ["numbers among the roots", '{"pid":1,"host":"127.0.0.1","port":1,"token":"t","roots":[7]}'],
  ["a port that is none", '{"pid":1,"host":"127.0.0.1","port":70000,"token":"t","roots":[]}'],
  ["a process that is none", '{"pid":-1,"host":"127.0.0.1","port":1,"token":"t","roots":[]}'],
  ["half of it", '{"pid":1,"ho'],
])("finds no running server in a damaged note, and sets it aside: %s", async (_name, text) => {
  const { dataDir, printed } = dataFolder();
  writeFileSync(join(dataDir, "server.json"), text);
  expect(await findRunningServer(dataDir)).toBeNull();
  expect(printed()).toContain("the note of a running server in the data folder was damaged");
  expect(readFileSync(join(dataDir, "server.json.damaged"), "utf8")).toBe(text);
  expect(existsSync(join(dataDir, "server.json"))).toBe(false);
});
