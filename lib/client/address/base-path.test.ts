// @vitest-environment page
import { beforeEach, expect, test, vi } from "vitest";

/** The module keeps what the document says, so each test is a page of its own. */
async function openPage(base: string) {
  vi.resetModules();
  document.documentElement.dataset.basePath = base;
  return { ...(await import("./base-path")), ...(await import("./session-url")) };
}

beforeEach(() => {
  delete document.documentElement.dataset.basePath;
});

test("addresses of ours get the path, and those of the browser lose it", async () => {
  const page = await openPage("/logs");
  expect(page.withBasePath("/sessions/x?at=1")).toBe("/logs/sessions/x?at=1");
  expect(["/logs", "/logs/", "/logs/usage", "/logsx", "/"].map(page.withoutBasePath)).toEqual([
    "/",
    "/",
    "/usage",
    "/logsx",
    "/",
  ]);
  expect(page.sessionOfPath("/logs/sessions/x")).toBe("x");
});

test("a page of the path's own name is not taken for it", async () => {
  const page = await openPage("/sessions");
  expect([page.sessionOfPath("/sessions/x"), page.sessionOfPath("/sessions/sessions/x")]).toEqual([
    null,
    "x",
  ]);
});

test("at the root all stays as it is", async () => {
  const page = await openPage("");
  expect([
    page.withBasePath("/usage"),
    page.withoutBasePath("/usage"),
    page.sessionOfPath("/sessions/x"),
  ]).toEqual(["/usage", "/usage", "x"]);
});
