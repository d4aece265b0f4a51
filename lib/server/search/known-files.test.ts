import { expect, it } from "vitest";
import { knownFiles } from "./known-files";

/** Sessions by the time of their last line and the files that they changed; `null` for one that has not been read. */
function worldOf(sessions: [lastActiveAtMs: number, paths: string[] | null][], listed = true) {
  const catalog = {
    listed,
    summaries: () => sessions.map(([lastActiveAtMs], at) => ({ id: String(at), lastActiveAtMs })),
    sessionFiles: (id: string) => ({ projectPath: `/home/dev/p${id}` }),
  };
  const scanner = {
    facets: (id: string) => {
      const paths = sessions[Number(id)]?.[1];
      return paths ? { paths } : null;
    },
  };
  return { catalog, scanner } as unknown as Parameters<typeof knownFiles>[0];
}

it("lists each changed file once, those of the latest session first", () => {
  const world = worldOf([
    [10, ["/shop/cart.ts", "/shop/old.ts"]],
    [30, ["/shop/cart.ts", "/shop/new.ts"]],
    [20, []],
  ]);
  expect(knownFiles(world, "", 10)).toEqual({
    files: [
      { path: "/shop/cart.ts", projectPath: "/home/dev/p1", sessions: 2, lastActiveAtMs: 30 },
      { path: "/shop/new.ts", projectPath: "/home/dev/p1", sessions: 1, lastActiveAtMs: 30 },
      { path: "/shop/old.ts", projectPath: "/home/dev/p0", sessions: 1, lastActiveAtMs: 10 },
    ],
    total: 3,
    complete: true,
  });
});

it("finds a part of a path in any case and with either slash, and counts what it does not list", () => {
  const world = worldOf([
    [2, ["C:\\shop\\src\\Cart.ts", "/shop/src/cart.test.ts", "/shop/README.md"]],
    [1, ["c:/shop/src/Cart.ts"]],
  ]);
  const found = (q: string, limit = 10) => {
    const { files, total } = knownFiles(world, q, limit);
    return [files.map(({ path, sessions }) => `${path} ${sessions}`), total];
  };
  // As Windows takes them, both spellings are one file.
  expect(found("src/cart")).toEqual([["C:\\shop\\src\\Cart.ts 2", "/shop/src/cart.test.ts 1"], 2]);
  expect(found("SRC\\CART", 1)).toEqual([["C:\\shop\\src\\Cart.ts 2"], 2]);
  expect(found("nothing")).toEqual([[], 0]);
});

it("says that there may be more while sessions are unread or folders unlisted", () => {
  expect(knownFiles(worldOf([[1, null]]), "", 10).complete).toBe(false);
  expect(knownFiles(worldOf([[1, []]], false), "", 10).complete).toBe(false);
});
