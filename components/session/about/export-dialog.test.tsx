// @vitest-environment page
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { api } from "@/lib/client/api";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { EXPORT_FORMAT_IDS } from "@/lib/wire/export-formats.mjs";
import type { SessionDetail } from "@/lib/wire/session";
import { ExportDialog } from "./export-dialog";

afterEach(() => {
  vi.restoreAllMocks();
});

it("shows the size of each format as it is known, and asks for one after the other", async () => {
  const waiting = new Map<string, (bytes: number | null) => void>();
  const asked = vi.spyOn(api, "exportSizes").mockImplementation(
    (_, { format }) =>
      new Promise((answer) => {
        const known = (bytes: number | null) =>
          answer({ sizes: bytes === null ? {} : { [`${format}`]: { bytes, isWhole: bytes < 5_000 } } });
        waiting.set(`${format}`, known);
      }),
  );
  vi.stubGlobal("fetch", async () => Response.json({ indexing: { done: true } }));
  const page = drawnPage();
  const session = { id: "s", counts: {}, branches: [] } as unknown as SessionDetail;
  const branch = { id: null, turns: 3, turn: 2, isOnly: true };
  await page.draw(
    <ExportDialog session={session} branch={branch} selection={null} open onOpenChange={() => undefined} />,
  );
  const rowOf = (name: string) =>
    [...document.querySelectorAll("li")].find((one) => one.textContent?.startsWith(name))?.textContent;
  const know = async (format: string, bytes: number | null) => {
    await until(() => expect(waiting.has(format)).toBe(true));
    await act(async () => waiting.get(format)?.(bytes));
  };
  await until(() => expect([...waiting.keys()]).toEqual(["html"]));
  expect(rowOf("HTML")).toContain("…");
  await know("html", 9_000_000);
  await until(() => expect(rowOf("HTML")).toContain("over 9"));
  expect(rowOf("Markdown")).toContain("…");
  await know("md", 1_000);
  await until(() => expect(rowOf("Markdown")).toContain("1.0 kB"));
  // One that cannot hold the part has none, and the next ones are measured all the same.
  for (const format of EXPORT_FORMAT_IDS.slice(2)) await know(format, null);
  expect(asked.mock.calls.map(([, { format }]) => format)).toEqual(EXPORT_FORMAT_IDS);
  await until(() => expect(document.body.textContent).not.toContain("…Download"));
});

const SIZES = { html: { bytes: 5, isWhole: true }, log: { bytes: 7, isWhole: true } };

it("offers the original log only with all of the session in it, and says so", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ sizes: SIZES }));
  const page = drawnPage();
  await page.draw(
    <ExportDialog
      session={{ id: "s1" } as SessionDetail}
      branch={{ id: null, turns: 3, turn: 2, isOnly: true }}
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

it("of turns it offers first the one that is read, and keeps those that were typed", async () => {
  const asked = vi.spyOn(api, "exportSizes").mockResolvedValue({ sizes: {} });
  vi.stubGlobal("fetch", async () => Response.json({ indexing: { done: true } }));
  const page = drawnPage();
  await page.draw(
    <ExportDialog
      session={{ id: "s2" } as SessionDetail}
      branch={{ id: null, turns: 3, turn: 2, isOnly: true }}
      selection={null}
      open
      onOpenChange={() => undefined}
    />,
  );
  const choose = (name: string) =>
    act(async () =>
      [...document.querySelectorAll("button")].find((one) => one.textContent === name)?.click(),
    );
  const field = (name: string) => document.querySelector<HTMLInputElement>(`input[aria-label="${name}"]`);
  const shown = () => ["First turn", "Last turn"].map((name) => field(name)?.value);
  await choose("Turns");
  expect(shown()).toEqual(["2", "2"]);
  await until(() => expect(asked.mock.calls.at(-1)?.[1].turns).toBe("2-2"));
  const last = field("Last turn");
  await act(async () => {
    Reflect.set(HTMLInputElement.prototype, "value", "3", last);
    last?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await choose("Whole session");
  await choose("Turns");
  expect(shown()).toEqual(["2", "3"]);
  await page.settle();
});
