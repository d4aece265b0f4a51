import fc from "fast-check";
import { expect, it } from "vitest";
import { safeHref } from "./safe-href";

it("accepts http, https and mailto, with their hosts", () => {
  expect(safeHref("https://a.test/x?y#z")).toEqual({ href: "https://a.test/x?y#z", host: "a.test" });
  expect(safeHref("HTTP://A.test:81")).toEqual({ href: "http://a.test:81/", host: "a.test:81" });
  expect(safeHref("mailto:a@b.test")?.host).toBe("a@b.test");
});

it("accepts nothing else, however it is written", () => {
  const written = fc.constantFrom(
    "javascript:",
    "JaVaScRiPt:",
    "java\tscript:",
    " javascript:",
    "\u0000javascript:",
    "data:text/html,",
    "vbscript:",
    "file:///",
    "//",
    "/",
    "",
    "blob:https://a.test/",
  );
  fc.assert(
    fc.property(written, fc.string(), (scheme, rest) => {
      const safe = safeHref(scheme + rest);
      expect(safe === null || /^(https?|mailto):/.test(safe.href)).toBe(true);
    }),
  );
});
