// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import PageError from "./error";

const again = () => act(async () => document.querySelector("button")?.click());

it("a part of a page that did not come, as from a server that was just stopped, is no bug: the page is loaded again", async () => {
  const error = Object.assign(new Error("Failed to load chunk /_next/static/chunks/1.js"), {
    name: "ChunkLoadError",
  });
  const reload = vi.spyOn(window.location, "reload").mockImplementation(() => undefined);
  const reset = vi.fn();
  await drawnPage().draw(<PageError error={error} reset={reset} />);
  expect(document.body.textContent).not.toContain("bug");
  await again();
  expect(reload).toHaveBeenCalledTimes(1);
  expect(reset).not.toHaveBeenCalled();
});

it("a crash is one, and the page is drawn again", async () => {
  const reset = vi.fn();
  await drawnPage().draw(<PageError error={new Error("x is undefined")} reset={reset} />);
  expect(document.body.textContent).toContain("This is a bug in Backscroll");
  await again();
  expect(reset).toHaveBeenCalledTimes(1);
});
