import { expect, test } from "vitest";
import type { KeyCommand } from "@/lib/client/key-registry";
import { makeHit } from "@/lib/testing/search-hit";
import type { Project } from "@/lib/wire/library";
import {
  fileAsked,
  filterByNames,
  isCalled,
  paletteCommands,
  paletteProjects,
  pickHits,
} from "./palette-entries";

const NAMES = ["Fix the retry test", "Retry with backoff", "Write the changelog"];
const found = (query: string, most = 8) => filterByNames(NAMES, query, (name) => [name], most);

test("every word must be in a name; names that begin with it come first", () => {
  expect(found("retry")).toEqual(["Retry with backoff", "Fix the retry test"]);
  expect(found("the retry")).toEqual(["Fix the retry test"]);
  expect(found("RETRY", 1)).toEqual(["Retry with backoff"]);
});

test("without text the latest are listed; filters alone list no names", () => {
  expect(found("", 2)).toEqual(NAMES.slice(0, 2));
  expect(found("is:error")).toEqual([]);
});

test("words of several names of one thing count together", () => {
  const sessions = [{ title: "Fix it", branch: "feat/retry" }];
  expect(filterByNames(sessions, "fix retry", ({ title, branch }) => [title, branch, null], 5)).toHaveLength(
    1,
  );
});

test.each([
  ["compare two branches", true],
  ["Compare branches", true],
  ["compare t", true],
  // What may as well be asked of the logs.
  ["compare", false],
  ["compare carts", false],
  ["pare two", false],
  ["", false],
])("whether “%s” calls the command “compare two branches”: %s", (query, called) => {
  expect(isCalled(query, "compare two branches")).toBe(called);
});

test("a command of one word is called by all of it", () => {
  expect(isCalled("waterfall ", "waterfall")).toBe(true);
  expect(isCalled("water", "waterfall")).toBe(false);
});

test("one session does not hide the others, and a text is shown once", () => {
  const hits = [
    makeHit({ session: "a", record: "1", snippet: "one" }),
    makeHit({ session: "a", record: "2", snippet: "one" }),
    makeHit({ session: "a", record: "3", snippet: "two" }),
    makeHit({ session: "a", record: "4", snippet: "three" }),
    makeHit({ session: "b", record: "5" }),
  ];
  expect(pickHits(hits, () => true, 8, 2).map(({ recordId }) => recordId)).toEqual(["1", "3", "5"]);
  expect(pickHits(hits, (id) => id !== "a", 8, 2).map(({ recordId }) => recordId)).toEqual(["5"]);
  // Where no others are to come, the room is theirs that were found.
  expect(pickHits(hits, () => true, 8, 2, true).map(({ recordId }) => recordId)).toEqual([
    "1",
    "3",
    "5",
    "4",
  ]);
  expect(pickHits(hits, () => true, 3, 2, true).map(({ recordId }) => recordId)).toEqual(["1", "3", "5"]);
});

test.each([
  ["src/cart.ts", "src/cart.ts"],
  ["  cart.ts ", "cart.ts"],
  ["/home/dev/shop/src/cart.ts", "/home/dev/shop/src/cart.ts"],
  ["src/cart.ts:12", "src/cart.ts"],
  ["file:Makefile", "Makefile"],
  ['file:"my notes.md"', "my notes.md"],
  ["file:src/**", null],
  ["cart", null],
  ["fix cart.ts", null],
  ["tool:a.ts", null],
  ["https://example.com/a.html", null],
  ["2.5", null],
])("%s names the file %s", (query, file) => {
  expect(fileAsked(query)).toBe(file);
});

const command = (label: string, more: Partial<KeyCommand> = {}): KeyCommand => ({
  ...{ keys: ["x"], label, group: "Views and panes", run: () => undefined },
  ...more,
});
const labels = ({ named, commands }: ReturnType<typeof paletteCommands>) => [
  named.map(({ label }) => label),
  commands.map(({ label }) => label),
];

test("commands that move are listed by name only, those of the arrow keys and of the palette itself never", () => {
  const all = [
    command("row down", { group: "Move", keys: ["j", "ArrowDown"] }),
    command("next error", { group: "Move" }),
    command("palette", { keys: ["mod+k"] }),
    command("waterfall"),
  ];
  expect(labels(paletteCommands(all, " "))).toEqual([[], ["waterfall"]]);
  expect(labels(paletteCommands(all, "err"))).toEqual([[], ["next error"]]);
  expect(labels(paletteCommands(all, "row"))).toEqual([[], []]);
  expect(labels(paletteCommands(all, "palette"))).toEqual([[], []]);
});

test("a command that is called by its name stands apart from those that a word of it finds", () => {
  const all = [command("graph overview"), command("graph"), command("changes")];
  expect(labels(paletteCommands(all, "graph"))).toEqual([["graph"], ["graph overview"]]);
});

test("no more commands than a reader looks through: 20 when nothing is asked, 6 of those that are named", () => {
  const all = Array.from({ length: 30 }, (_, n) => command(`view ${n}`));
  expect(labels(paletteCommands(all, ""))[1]).toHaveLength(20);
  expect(labels(paletteCommands(all, "view"))[1]).toHaveLength(6);
});

test("a hidden project is found by its path or note, and not listed without either", () => {
  const project = (path: string, marks: Partial<NonNullable<Project["marks"]>> | null): Project =>
    ({ id: path, path, marks }) as Project;
  const all = [
    project("/home/dev/shop", null),
    project("/home/dev/till", { hidden: true, note: "old tills" }),
  ];
  const paths = (query: string) => paletteProjects(all, query).map(({ path }) => path);
  expect(paths("")).toEqual(["/home/dev/shop"]);
  expect(paths("till")).toEqual(["/home/dev/till"]);
  expect(paths("old")).toEqual(["/home/dev/till"]);
  expect(paths("dev")).toEqual(["/home/dev/shop", "/home/dev/till"]);
});
