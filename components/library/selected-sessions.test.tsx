// @vitest-environment page
import { act } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { afterWrites } from "@/lib/client/address/address-writes";
import { shownDialog } from "@/lib/client/address/page-dialogs";
import { listCommands } from "@/lib/client/key-registry";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import { useLibraryFilters } from "./library-filters";
import { SessionList } from "./list/session-list";
import { SelectionBar } from "./selected-sessions";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }), usePathname: () => "/" }));

const NOW_MS = 1_700_000_000_000;
const SESSIONS = ["one", "two", "three"].map((title, n) =>
  makeSummary({ id: `id-${title}`, title, lastActiveAtMs: NOW_MS - n * 1e6 } as never),
);

function Page() {
  const [filters, setFilters] = useLibraryFilters();
  const shown = SESSIONS.filter(({ title }) => title.includes(filters.q));
  const library = { shown, sessions: SESSIONS, complete: true, filters, nowMs: NOW_MS };
  return (
    <>
      {["t", ""].map((q) => (
        <button key={q} type="button" aria-label={`filter ${q}`} onClick={() => setFilters({ q })} />
      ))}
      <SessionList library={{ ...library, settled: true, loadMore: () => undefined } as never} />
      <SelectionBar shown={shown} />
    </>
  );
}

const press = (key: string) =>
  act(async () => void window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
const filter = (q: string) =>
  act(async () => {
    document.querySelector<HTMLButtonElement>(`[aria-label="filter ${q}"]`)?.click();
    await new Promise<void>((resolve) => afterWrites(resolve));
  });
const selected = () => document.querySelector('[role="toolbar"] [role="status"]')?.textContent;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ projects: [], totals: null }));
  window.history.replaceState(null, "", "/");
});

it("sessions stay selected while filters change, so that sessions of several filters can be selected together", async () => {
  await drawnPage().draw(<Page />);
  for (const key of ["g", "x", "j", "x"]) await press(key);
  expect(selected()).toBe("2 sessions selected");
  await filter("t");
  expect(selected()).toBe("1 session selected");
  await filter("");
  expect(selected()).toBe("2 sessions selected");
});

it("exports the selected sessions, and not all that are listed", async () => {
  await drawnPage().draw(<Page />);
  for (const key of ["g", "x", "j", "j", "x"]) await press(key);
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ ticket: "t" });
  });
  const button = document.querySelector<HTMLButtonElement>(
    '[role="toolbar"] [aria-label="Export 2 sessions"]',
  );
  await act(
    async () => void button?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
  );
  const items = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  await act(async () => items.find(({ textContent }) => textContent === "Markdown")?.click());
  expect(asked.find((path) => path.includes("/export"))).toBe(
    "/api/export?sessions=id-one,id-three&format=md&tilde=1",
  );
});

it("keys act on the current row if no selected session is listed", async () => {
  await drawnPage().draw(<Page />);
  for (const key of ["g", "x"]) await press(key);
  await filter("t");
  expect(selected()).toBeUndefined();
  await press("g");
  const command = listCommands().find(({ label }) => label === "name, tags and note");
  act(() => command?.run(new KeyboardEvent("keydown")));
  expect(shownDialog()).toEqual({ organise: ["id-two"] });
});
