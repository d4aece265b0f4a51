// @vitest-environment page
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { makeSummary } from "@/lib/testing/session-summary";
import { useListedTitle } from "./use-listed-title";

const SESSION = makeSummary({ title: "Charged twice" });

function Title() {
  return useListedTitle(SESSION.id) ?? "no title";
}

it.each([
  ["in the pages of a list", { pages: [{ sessions: [] }, { sessions: [SESSION] }], pageParams: [null, "2"] }],
  ["among those that were active last", { sessions: [SESSION] }],
])(
  "a session that is still being read has the title that the library knows at once: %s",
  async (_, lists) => {
    const ask = vi.fn();
    vi.stubGlobal("fetch", ask);
    const page = drawnPage();
    page.client.setQueryData(["sessions", { sort: "active" }], lists);
    await page.draw(<Title />);
    expect(document.body.textContent).toBe("Charged twice");
    expect(ask).not.toHaveBeenCalled();
  },
);

it("of one that no list of this page holds, the library is asked when that takes long", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ sessions: [SESSION] }));
  const page = drawnPage();
  await page.draw(<Title />);
  expect(document.body.textContent).toBe("no title");
  await until(() => expect(document.body.textContent).toBe("Charged twice"));
});
