// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { stopSecondsAt } from "@/lib/client/use-now";
import { drawnPage } from "@/lib/testing/drawn-page";
import { Elapsed } from "./time";

it("in a file what ran is not counted further than its log goes", async () => {
  const sinceMs = Date.parse("2026-01-01T10:00:00Z");
  stopSecondsAt(sinceMs + 42_000);
  await drawnPage().draw(<Elapsed sinceMs={sinceMs} format={(ms) => `${ms / 1_000} s`} />);
  expect(document.body.textContent).toBe("42 s");
});
