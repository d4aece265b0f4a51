import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { methodsOf, ROUTES, routeAt } from "./routes";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const API = join(import.meta.dirname, "../../../app/api");

/** Every route's address, with the source that answers. What answers for no route is none. */
const FILES = new Map(
  readdirSync(API, { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name) === "route.ts" && !name.includes("[[..."))
    .map((name): [string, string] => [
      join("/api", dirname(name)).replaceAll("\\", "/"),
      readFileSync(join(API, name), "utf8"),
    ]),
);

it("names every route that there is, and no other", () => {
  expect(ROUTES.map(({ path }) => path).sort()).toEqual([...FILES.keys()].sort());
});

it.each(ROUTES)("knows the methods of $path", ({ path, methods }) => {
  const exported = METHODS.filter((method) =>
    new RegExp(`^export\\b.*\\b${method}\\b`, "m").test(FILES.get(path) ?? ""),
  );
  // Next makes HEAD of GET.
  expect(methods).toEqual(exported.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])));
  expect(methodsOf(path.replaceAll(/\[\w+\]/g, "x1"))).toEqual(methods);
});

/** What a route may reach of the owner's besides the library that it is given. Tickets keep for whom they were issued. */
function mayReach({ path, guests }: (typeof ROUTES)[number]): string[] {
  if (path === "/api/tickets") return ["getState().tickets"];
  // It knows of each share what it is of.
  if (path === "/api/presence") return ["getState().presence"];
  // A guest's are of the owner's session, and added to the owner's.
  if (path === "/api/annotations") return ["ownerRoute("];
  return guests.length > 0 || path.startsWith("/api/sessions/[id]/") ? [] : ["ownerRoute("];
}

it.each(ROUTES)("$path reaches the owner's state only where it is the owner's", (one) => {
  const reached = (FILES.get(one.path) ?? "").match(/\bownerRoute\(|\bgetState\(\)\.\w+/g) ?? [];
  expect([...new Set(reached)]).toEqual(mayReach(one));
});

it("tells a route from what lies beside it", () => {
  expect(routeAt("/api/sessions/a/rows/")?.path).toBe("/api/sessions/[id]/rows");
  expect(routeAt("/api/sessions/a/rows/b")).toBeNull();
  expect(routeAt("/API/health")).toBeNull();
  expect(methodsOf("/api/nothing")).toEqual(["GET", "HEAD"]);
});
