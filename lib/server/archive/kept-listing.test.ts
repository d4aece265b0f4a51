import { expect, test } from "vitest";
import { KeptListing } from "./kept-listing";

const STATS = { dev: 1, ino: 2, size: 3, mtimeMs: 4 };
const put = (...paths: string[]) => ({ isAll: false, files: paths.map((path) => [path, STATS] as const) });

const namesIn = (listing: KeptListing, folder: string) =>
  listing
    .entries(folder)
    .map(({ name, isFolder }) => (isFolder ? `${name}/` : name))
    .sort();

test("it knows the folders of its files, until they hold none", () => {
  const listing = new KeptListing();
  listing.take(put("/a/b/one", "/a/b/two", "/a/c/three"));
  expect(namesIn(listing, "/")).toEqual(["a/"]);
  expect(namesIn(listing, "/a")).toEqual(["b/", "c/"]);
  expect(namesIn(listing, "/a/b")).toEqual(["one", "two"]);
  expect(listing.find("/a/b/one")).toEqual(STATS);
  listing.take({ isAll: false, files: [["/a/b/one", null]] });
  expect(namesIn(listing, "/a/b")).toEqual(["two"]);
  listing.take({ isAll: false, files: [["/a/b/two", null]] });
  expect(namesIn(listing, "/a")).toEqual(["c/"]);
  expect(listing.find("/a/b/two")).toBeNull();
});

test("given all files, it forgets the others; its revision changes with the set of files, not with their sizes", () => {
  const listing = new KeptListing();
  listing.take(put("/a/one", "/a/two"));
  const { revision } = listing;
  listing.take({ isAll: false, files: [["/a/one", { ...STATS, size: 9 }]] });
  expect(listing.revision).toBe(revision);
  expect(listing.find("/a/one")?.size).toBe(9);
  listing.take({ ...put("/a/two", "/a/three"), isAll: true });
  expect(namesIn(listing, "/a")).toEqual(["three", "two"]);
  expect(listing.revision).toBeGreaterThan(revision);
});
