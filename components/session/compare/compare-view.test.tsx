// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { SessionContext, type SessionContextValue } from "@/components/session/session-store";
import { parseThreadUrl } from "@/lib/client/address/session-url";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { SessionId } from "@/lib/wire/ids";
import { CompareView } from "./compare-view";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/sessions/s" }));

const hint = "Its log may have been deleted, or lie in a folder that this server does not read.";
const openCompare = vi.fn();

/** The comparison of a link's, of which the answers have these codes: the session's own, and that of the comparison. */
async function drawn(own: string | null, compared: string, branches = 2) {
  const page = drawnPage();
  vi.stubGlobal("fetch", async (path: string) => {
    const code = path.includes("/compare") ? compared : own;
    return code === null
      ? Response.json({ id: "s" })
      : Response.json({ error: { code, message: `It says ${code}`, hint } }, { status: 404 });
  });
  const value = {
    ...{ sessionId: "s" as SessionId, session: own === null ? { revision: 1, counts: { branches } } : null },
    ...{ url: parseThreadUrl("?view=compare&right=x"), setUrl: vi.fn(), store: { views: { openCompare } } },
  } as unknown as SessionContextValue;
  await page.draw(
    <SessionContext value={value}>
      <CompareView printed={false} />
    </SessionContext>,
  );
  await page.settle();
  return document.body.textContent;
}
const buttons = () => [...document.querySelectorAll("button")];

it("a link to a session that is gone says so", async () => {
  expect(await drawn("session-not-found", "session-not-found")).toContain("It says session-not-found");
});

it("a link that compares with what is gone says which it is, and leads to what can be compared", async () => {
  const text = await drawn(null, "session-not-found");
  expect(text).toContain("The session to compare with was not found");
  expect(text).toContain(hint);
  await act(async () =>
    buttons()
      .find((one) => one.textContent?.startsWith("Compare this"))
      ?.click(),
  );
  expect(openCompare).toHaveBeenCalledWith();
  expect(await drawn(null, "record-not-found")).toContain("This session has no such branch");
});

it("a session of one branch is not offered to be compared with itself", async () => {
  await drawn(null, "session-not-found", 1);
  const named = buttons().map(({ textContent }) => textContent);
  expect(named).not.toContain("Compare this session’s branches");
  expect(named).toContain("Try again");
});

it("of a session of one branch says how it is compared with another session", async () => {
  const text = await drawn(null, "one-branch", 1);
  expect(text).toContain("This session has one branch");
  expect(text).toContain("select both in the library with x");
  expect(buttons().map(({ textContent }) => textContent)).not.toContain("Try again");
});
