import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Catalog } from "@/lib/server/library/catalog";
import { prompt, toText, uuid } from "@/lib/testing/log-tree";
import type { SessionId } from "@/lib/wire/ids";
import { LogListing } from "./log-listing";
import { LogPaths } from "./log-paths";

let dir: string;
let catalog: Catalog;
let listing: LogListing;
let all: () => number;

const logOf = (n: number, project = "-home-dev-shop") => join(dir, "projects", project, `${uuid(n)}.jsonl`);

function write(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, toText([prompt("add a till")]));
  return path;
}

beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-log-listing-")));
  write(logOf(1));
  write(logOf(2));
  catalog = new Catalog([{ path: dir, kind: "config" }]);
  await catalog.list();
  const anew = vi.spyOn(catalog, "listAnew");
  all = () => anew.mock.calls.length;
  listing = new LogListing(catalog, new LogPaths(catalog));
  listing.begin();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("lists a known folder alone for a log that came into it", async () => {
  listing.add(write(logOf(3)));
  const { isOtherSet, ofPaths, unknown, bytes } = await listing.list();
  expect({ isOtherSet, ofPaths, unknown, all: all() }).toEqual({
    isOtherSet: true,
    ofPaths: [uuid(3)],
    unknown: null,
    all: 0,
  });
  expect([...bytes.keys()].sort()).toEqual([uuid(1), uuid(2), uuid(3)]);
});

it("lists all folders where one of the paths is in none that is known, and says what grew meanwhile", async () => {
  appendFileSync(logOf(2), toText([prompt("and a drawer")]));
  listing.add(write(logOf(3)));
  listing.add(dirname(write(logOf(4, "-home-dev-till"))));
  const { isOtherSet, ofPaths, unknown } = await listing.list();
  expect({ isOtherSet, ofPaths, all: all() }).toEqual({ isOtherSet: true, ofPaths: [uuid(3)], all: 1 });
  expect(unknown?.grown.toSorted()).toEqual([uuid(2), uuid(3), uuid(4)]);
});

it("lists all where a session was missed, or nothing is known to have come, and finds the same set", async () => {
  listing.add(logOf(1));
  listing.miss(uuid(2) as SessionId);
  const { isOtherSet, ofPaths, unknown } = await listing.list();
  expect({ isOtherSet, ofPaths, unknown, all: all() }).toEqual({
    isOtherSet: false,
    ofPaths: [uuid(1)],
    unknown: { missed: [uuid(2)], grown: [] },
    all: 1,
  });
  expect((await listing.list()).unknown).toEqual({ missed: [], grown: [] });
  expect(all()).toBe(2);
});

it("says so where one session came in the place of another", async () => {
  rmSync(logOf(1));
  write(logOf(3));
  expect(await listing.list()).toMatchObject({ isOtherSet: true, ofPaths: [], came: [uuid(3)] });
  expect(await listing.list()).toMatchObject({ isOtherSet: false, came: [] });
});

it("lists all where a folder that was to be listed is gone", async () => {
  const added = write(logOf(3));
  vi.spyOn(catalog, "refresh").mockImplementation(async (id) => {
    rmSync(dirname(added), { recursive: true });
    return catalog.sessionFiles(`${id}-gone` as typeof id);
  });
  listing.add(added);
  expect(await listing.list()).toMatchObject({ isOtherSet: true, ofPaths: [] });
  expect(all()).toBe(1);
  expect(catalog.summaries()).toEqual([]);
});
