import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { compileModulesAtOnce } from "./eager-modules.mjs";

const PUSH = "(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push";
const OWNER = '"object"==typeof document?document.currentScript:void 0';

function folderOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-chunks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, textOf: (name: string) => readFileSync(join(folder, name), "utf8") };
}

test("modules of a chunk stand in parentheses, and are what they were", () => {
  const code = `${PUSH}([${OWNER},12,(e,t)=>{t("(a)")},7,8,e=>{e("e=>{}")},9,function(e){return e(/\\)/)},10,e=>{e("e=>{}")}]);\n`;
  const { folder, textOf } = folderOf({ "a.js": code });
  compileModulesAtOnce(folder);
  expect(textOf("a.js")).toBe(
    `${PUSH}([${OWNER},12,((e,t)=>{t("(a)")}),7,8,(e=>{e("e=>{}")}),9,(function(e){return e(/\\)/)}),10,(e=>{e("e=>{}")})]);\n`,
  );
  const pushedBy = (text: string) => {
    const TURBOPACK: unknown[][] = [];
    runInNewContext(text, { TURBOPACK });
    return TURBOPACK.flat().map(String);
  };
  expect(pushedBy(textOf("a.js"))).toEqual(pushedBy(code));
});

test("scripts of another form stay as they are, also one that needs a page", () => {
  const others = {
    "runtime.js": `${PUSH}([${OWNER},{otherChunks:[]}]);document.title;`,
    "polyfills.js": "!function(){}();",
    "a.css": `${PUSH}([1,e=>{}])`,
  };
  const { folder, textOf } = folderOf({ ...others, "a.js": `${PUSH}([${OWNER},1,e=>{}]);` });
  compileModulesAtOnce(folder);
  for (const [name, text] of Object.entries(others)) expect(textOf(name)).toBe(text);
});

test("a build whose chunks have another form is told of it", () => {
  const { folder } = folderOf({ "a.js": "webpackChunk.push([[1],{2:(e)=>{}}]);" });
  expect(() => compileModulesAtOnce(folder)).toThrow("no chunk in the form");
});
