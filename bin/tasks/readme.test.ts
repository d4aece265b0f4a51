import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { z } from "zod";
import { FILTER_NAMES } from "@/lib/query/filters";
import { SESSION_SORTS } from "@/lib/wire/library-columns";
import { HELP } from "../cli/help.mjs";

const ROOT = join(import.meta.dirname, "../..");
const REQUESTS = join(ROOT, "lib/wire/requests");
const README = readFileSync(join(ROOT, "README.md"), "utf8");

const found = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].sort();

/** The URLs answered by the files of this name below `app`: `/sessions/{}`. */
function addressesOf(file: string): string[] {
  return readdirSync(join(ROOT, "app"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path === file || path.endsWith(`/${file}`))
    .map((path) =>
      `/${path.slice(0, -file.length)}`.replace(/(?<=.)\/$/, "").replaceAll(/\[+[^\]]+\]+/g, "{}"),
    );
}

/** The README's line on each URL of the API, by the URL with parameter names removed. */
function linesByAddress(): Map<string, string> {
  const section = README.slice(README.indexOf("## API"), README.indexOf("## Development"));
  const lines = section.split("\n").filter((line) => line.startsWith("- `"));
  const named = lines.flatMap((line) => {
    const [whole = "", ...more] = [...(line.split(": ")[0] ?? "").matchAll(/`(?:POST )?([^`?]+)[^`]*`/g)].map(
      (match) => (match[1] ?? "").replaceAll(/\{[^}]+\}/g, "{}"),
    );
    const parent = whole.replace(/\/[^/]+$/, "");
    const addresses = [whole, ...more.filter((part) => part.startsWith("/")).map((part) => parent + part)];
    return addresses.map((address) => [address, line] as const);
  });
  expect(new Set(named.map(([address]) => address)).size).toBe(named.length);
  return new Map(named);
}

/** The words that stand in a line as code. */
function wordsInCode(line: string): ReadonlySet<string> {
  return new Set([...line.matchAll(/`([^`]+)`/g)].flatMap(([, code = ""]) => code.split(/\W+/)));
}

/** The parameters that the handlers of a route take, by its URL. */
async function parametersByAddress(): Promise<Map<string, string[]>> {
  const modules = readdirSync(REQUESTS).filter((file) => !file.endsWith(".test.ts"));
  const schemas: Readonly<Record<string, unknown>> = Object.assign(
    {},
    ...(await Promise.all(modules.map((file) => import(join(REQUESTS, file))))),
  );
  const files = readdirSync(join(ROOT, "app/api"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith("/route.ts"));
  return new Map(
    files.map((path) => {
      const text = readFileSync(join(ROOT, "app/api", path), "utf8");
      const names = [...text.matchAll(/query: (\w+Re(?:quest|moval))/g)].map(([, name = ""]) => name);
      const parameters = names.flatMap((name) => Object.keys((schemas[name] as z.ZodObject).shape));
      return [path.slice(0, -"/route.ts".length).replaceAll(/\[+[^\]]+\]+/g, "{}"), parameters];
    }),
  );
}

it("the README has the flags and variables of the command line, and no others", () => {
  const flags = /--[a-z][a-z-]+/g;
  expect(found(README, flags)).toEqual(found(HELP, flags));
  const variables = /BACKSCROLL_[A-Z_]+/g;
  expect(found(README, variables)).toEqual(found(HELP, variables));
});

it("the README has the API's addresses, and no others", () => {
  const routes = addressesOf("route.ts")
    .map((address) => address.replace("/api/", ""))
    // The catch-all route is no address, and the README documents tickets with the export.
    .filter((address) => address !== "{}" && address !== "tickets");
  expect([...linesByAddress().keys()].sort()).toEqual(routes.sort());
  expect(README).toContain("`POST tickets`");
});

it("the README tells of every parameter of the API", async () => {
  const lines = linesByAddress();
  const untold = [...(await parametersByAddress())].flatMap(([address, parameters]) =>
    parameters
      // Those of all collections are told of above the list.
      .filter((name) => name !== "limit" && name !== "cursor")
      .filter((name) => !wordsInCode(lines.get(address) ?? "").has(name))
      .map((name) => `${address}?${name}=`),
  );
  expect(untold).toEqual([]);
});

it("the README has the pages, but for the gallery of parts that only development shows", () => {
  const line = README.split("\n").find((one) => one.startsWith("The pages are")) ?? "";
  const named = [...line.matchAll(/`(\/[^`?]*)[^`]*`/g)].map((match) =>
    (match[1] ?? "").replaceAll(/\{[^}]+\}/g, "{}"),
  );
  expect(named.sort()).toEqual(
    addressesOf("page.tsx")
      .filter((address) => address !== "/gallery")
      .sort(),
  );
});

/** The page whose address a file reads and writes. */
const PAGE_OF: Readonly<Record<string, string>> = {
  "components/doctor/finding-list.tsx": "/doctor",
  "components/files/file-sessions-page.tsx": "/files",
  "components/prompts/prompts-page.tsx": "/prompts",
  "components/library/library-filters.ts": "/",
  "components/now/now-board.tsx": "/now",
  "components/search/search-facets.ts": "/search",
  "components/usage/usage-url.ts": "/usage",
  "lib/client/address/session-url.ts": "/sessions/{}",
};

const sources = ["components", "lib/client"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") })),
);

it("the README has the parameters of the pages' addresses, and no others", () => {
  const taken = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w.])(\w+): parseAs|useQueryState\(\s*"(\w+)"/g)].map(
      ([, listed, single]) => `${PAGE_OF[path] ?? path}?${listed ?? single}=`,
    ),
  );
  const line = README.split("\n").find((one) => one.startsWith("The pages are")) ?? "";
  const told = [...line.matchAll(/`(\/[^`?]*)\?([^`]*)`/g)].flatMap(([, path = "", query = ""]) =>
    query.split("&").map((part) => `${path.replaceAll(/\{[^}]+\}/g, "{}")}?${part.split("=")[0]}=`),
  );
  expect(taken.length).toBeGreaterThan(50);
  expect(told.toSorted()).toEqual([...new Set([...taken, "/now?show="])].toSorted());
});

it("every key that the README names does something", () => {
  const keys = new Set(
    sources
      .flatMap(({ text }) => [...text.matchAll(/\bkeys: \[((?:"[^"]+"(?:, )?)+)\]/g)])
      .flatMap(([, list = ""]) => [...list.matchAll(/"([^"]+)"/g)].map(([, key]) => key)),
  );
  const told = README.slice(README.indexOf("## What it does"), README.indexOf("## Exporting"));
  const texts = told.replace(/## Flags[\s\S]*?(?=## Usage)/, "");
  const named = new Set(
    [...texts.matchAll(/`([^`\s])`/g)].map(([, key]) => (key === "↓" ? "ArrowDown" : key)),
  );
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((key) => !keys.has(key))).toEqual([]);
});

it("the README tells of every filter of the query language", () => {
  const section = README.slice(README.indexOf("## Searching"), README.indexOf("## Looking together"));
  const named = new Set([...section.matchAll(/`([a-z]+):[^`]*`/g)].map((match) => match[1]));
  expect(named).toEqual(new Set(FILTER_NAMES));
});

it("the README tells of every order of the library", () => {
  const line = README.split("\n").find((one) => one.startsWith("- `sessions?project=")) ?? "";
  const named = /`sort` is (.+)$/.exec(line)?.[1]?.split(/, | or /);
  expect(named).toEqual(SESSION_SORTS);
});

it("the README names the tools for assistants, and no others", () => {
  const section = README.slice(README.indexOf("## For assistants"), README.indexOf("## Behind a proxy"));
  const line = section.slice(section.indexOf("The tools are"), section.indexOf("They only read"));
  const named = [...line.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
  const tools = readdirSync(join(ROOT, "lib/server/mcp/tools"))
    .filter((name) => !name.endsWith(".test.ts"))
    .map((name) => name.replace(".ts", "").replaceAll("-", "_"));
  expect(new Set(named)).toEqual(new Set(tools));
});

it("the README tells of every command, and of how many there are", () => {
  const commands = found(HELP, /(?<=^ {2}backscroll )[a-z]+/gm);
  expect(found(README, /(?<=^- `backscroll )[a-z]+/gm)).toEqual(commands);
  const words: Record<number, string> = { 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen" };
  expect(README).toContain(`There are ${words[commands.length]} commands besides`);
});
