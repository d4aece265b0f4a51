// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { OutsideLink } from "./outside-link";

it("keeps the focus when it shows its target, and is as before when the focus moves on", async () => {
  await drawnPage().draw(<OutsideLink target="https://docs.test/a" label="docs" />);
  const button = document.querySelector("button");
  await act(async () => {
    button?.focus();
    button?.click();
  });
  const link = document.querySelector("a");
  expect(link?.getAttribute("href")).toBe("https://docs.test/a");
  expect(document.activeElement).toBe(link);
  await act(async () => link?.blur());
  expect(document.querySelector("a")).toBeNull();
});
