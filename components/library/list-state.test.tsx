// @vitest-environment page
import { beforeEach, expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useLibraryFilters } from "./library-filters";
import { ListState } from "./list-state";

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Response.json({ projects: [], totals: null }));
});

function Page() {
  const [filters] = useLibraryFilters();
  const library = { sessions: [], complete: true, hidden: 0, nowMs: 0, error: null, isPending: false };
  return <ListState library={{ ...library, filters } as never} />;
}

/** What stands in the place of the list, at this address. */
async function said(address: string): Promise<string> {
  window.history.replaceState(null, "", address);
  const page = drawnPage();
  await page.draw(<Page />);
  const { textContent } = document.body;
  page.leave();
  return textContent ?? "";
}

it("a list that everybody has says what it would hold, and is no filter to be cleared", async () => {
  const none = {
    "/?q=is:starred": "No starred sessions",
    "/?q=is:unanswered": "Nothing is left unanswered",
    "/?since=7d&sort=cost": "No sessions in the last 7 days",
  };
  for (const [address, title] of Object.entries(none)) {
    const text = await said(address);
    expect([address, text]).toEqual([address, expect.stringContaining(title)]);
    expect(text).not.toContain("Clear");
  }
});

it("where it is narrowed further, what narrows it is named", async () => {
  for (const address of ["/?q=is:unanswered&errors=true", "/?since=7d&sort=cost&agents=true"]) {
    const text = await said(address);
    expect(text).toContain("No sessions match these filters");
    expect(text).toContain("Clear all");
  }
  expect(await said("/?q=nowhere")).toContain("No sessions match this filter");
});
