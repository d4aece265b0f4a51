// @vitest-environment page
import { act } from "react";
import { afterEach, expect, it } from "vitest";
import { noteBuild } from "@/lib/client/newer-build";
import { drawnPage } from "@/lib/testing/drawn-page";
import { OutdatedBar } from "./outdated-bar";

const told = () => document.querySelector("[role=status]")?.textContent ?? null;

afterEach(() => {
  delete document.documentElement.dataset.build;
});

it("says that the server is of another build than the document, and no longer when it is the same again", async () => {
  document.documentElement.dataset.build = "one";
  await drawnPage().draw(<OutdatedBar />);
  expect(told()).toBeNull();
  act(() => noteBuild("one"));
  expect(told()).toBeNull();
  act(() => noteBuild("other"));
  expect(told()).toMatch(/^Backscroll was updated after this page was loaded.*Reload the page$/);
  // An earlier version does not say which build it is.
  act(() => noteBuild(undefined));
  expect(told()).not.toBeNull();
  act(() => noteBuild("one"));
  expect(told()).toBeNull();
});

it("says nothing of a development server, or in a file, whose documents are of no build", async () => {
  await drawnPage().draw(<OutdatedBar />);
  act(() => noteBuild("other"));
  expect(told()).toBeNull();
  document.documentElement.dataset.build = "";
  act(() => noteBuild("another"));
  expect(told()).toBeNull();
});
