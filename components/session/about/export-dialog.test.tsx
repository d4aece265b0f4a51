// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionDetail } from "@/lib/wire/session";
import { ExportDialog } from "./export-dialog";

const SIZES = { html: { bytes: 5, isWhole: true }, log: { bytes: 7, isWhole: true } };

it("offers the original log only with all of the session in it, and says so", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ sizes: SIZES }));
  const page = drawnPage();
  await page.draw(
    <ExportDialog
      session={{ id: "s1" } as SessionDetail}
      branch={{ id: null, turns: 3, isOnly: true }}
      selection={null}
      open
      onOpenChange={() => undefined}
    />,
  );
  await page.settle();
  const download = (name: string) =>
    document.querySelector<HTMLButtonElement>(`[aria-label="Download ${name}"]`);
  const lineOf = (name: string) => download(name)?.closest("li")?.textContent;
  const thinking = [...document.querySelectorAll("label")].find(
    ({ textContent }) => textContent?.trim() === "Thinking",
  );
  expect([download("Original log")?.disabled, download("HTML")?.disabled]).toEqual([false, false]);
  expect(lineOf("Original log")).toContain("byte for byte");

  await act(async () => thinking?.querySelector("input")?.click());
  expect([download("Original log")?.disabled, download("HTML")?.disabled]).toEqual([true, false]);
  expect(lineOf("Original log")).toBe("Original logonly with all of the sessionDownload");

  await act(async () => thinking?.querySelector("input")?.click());
  expect(download("Original log")?.disabled).toBe(false);
});
