// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { ArchiveSettings } from "@/lib/wire/archive";
import { ArchiveSetting } from "./archive-setting";

const ARCHIVE = {
  path: "/kept",
  files: 1,
  bytes: 1,
  storedBytes: 1,
  keptOnly: 0,
  filling: null,
  problems: [],
};
const PROJECTS = ["/a", "/b"].map((path) => ({ id: path, path }));
const FIRST: ArchiveSettings = { enabled: true, leftOut: [], maxStoredBytes: null, maxAgeDays: null };

/** The settings with these rules saved, on a disk that takes a moment; returns what is stored by now. */
async function draw(rules: ArchiveSettings, refusal: object | null = null) {
  const page = drawnPage();
  let stored = rules;
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    if (path.startsWith("/api/projects")) return Response.json({ projects: PROJECTS, totals: null });
    if (!path.startsWith("/api/archive/settings")) return Response.json(ARCHIVE);
    if (method === "PUT" && refusal) return Response.json({ error: refusal }, { status: 409 });
    if (method === "PUT") await new Promise((resolve) => setTimeout(resolve, 20));
    if (method === "PUT") stored = JSON.parse(body as string) as ArchiveSettings;
    return Response.json(stored);
  });
  await page.draw(<ArchiveSetting />);
  // What is kept, and then by which rules.
  await page.settle();
  await page.settle();
  return { page, stored: () => stored };
}

it("saves a limit that is left for another control together with what is chosen there", async () => {
  const { page, stored } = await draw(FIRST);
  const limit = document.querySelector<HTMLInputElement>('[aria-label="Leave out files older than"]');
  const off = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Off");
  await act(async () => {
    if (!limit) return;
    limit.focus();
    // As typed: React follows the element's own value.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(limit, "90");
    limit.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await act(async () => {
    limit?.blur();
    off?.click();
  });
  await page.settle();
  expect(stored()).toEqual({ ...FIRST, enabled: false, maxAgeDays: 90 });
});

it("takes two projects back that are clicked before the first is saved", async () => {
  const { page, stored } = await draw({ ...FIRST, leftOut: ["/a", "/b", "/c"] });
  await act(async () => {
    for (const folder of ["/a", "/c"])
      document.querySelector<HTMLButtonElement>(`[aria-label="Keep ${folder} again"]`)?.click();
  });
  await page.settle();
  expect(stored().leftOut).toEqual(["/b"]);
});

it("leaves out the project that was chosen at last, and none that the arrow keys came by", async () => {
  const { page, stored } = await draw(FIRST);
  const list = document.querySelector<HTMLSelectElement>('[aria-label="Leave out a project"]');
  for (const path of ["/a", "/b"]) {
    await act(async () => {
      if (!list) return;
      list.value = path;
      list.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.settle();
  }
  expect(stored().leftOut).toEqual([]);
  const button = [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Leave out",
  );
  await act(async () => button?.click());
  await page.settle();
  expect(document.activeElement).toBe(list);
  expect(stored().leftOut).toEqual(["/b"]);
});

it("says that nothing is kept, and offers no rules, without an archive", async () => {
  const page = drawnPage();
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ ...ARCHIVE, path: null, files: 0 });
  });
  await page.draw(<ArchiveSetting />);
  await page.settle();
  expect(document.body.textContent).toContain(
    "Nothing that is read is kept: Backscroll was started without an archive.",
  );
  expect(document.querySelectorAll("button, input, select")).toHaveLength(0);
  expect(asked).toEqual(["/api/archive"]);
});

it("says why it is empty, where the server does not tell what is kept", async () => {
  const page = drawnPage();
  const error = {
    code: "internal",
    message: "Something failed in the server",
    hint: "Look at its terminal.",
  };
  vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 500 }));
  await page.draw(<ArchiveSetting />);
  await page.settle();
  expect(document.body.textContent).toContain("Something failed in the server. Look at its terminal.");
});

it("says why rules were not saved, and what to do, as two sentences", async () => {
  const refusal = { code: "archive-unwritable", message: "The disk is full", hint: "Make room." };
  const { page } = await draw(FIRST, refusal);
  const off = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Off");
  await act(async () => off?.click());
  await page.settle();
  expect(document.querySelector('[role="alert"]')?.textContent).toBe("The disk is full. Make room.");
});
