// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import { FileSessionsPage } from "./file-sessions-page";

vi.mock("@/components/share/page-menu", () => ({ PageMenu: () => null }));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/files" }));

it("does not say that no session changed a file before every session has been read", async () => {
  let complete = false;
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(
      path.startsWith("/api/files")
        ? { sessions: [], readers: [], nextCursor: null, complete }
        : { indexing: { done: complete }, warnings: [] },
    ),
  );
  window.history.replaceState(null, "", "/files?path=cart.ts");
  const page = drawnPage();
  await page.draw(<FileSessionsPage />);
  const shown = () => document.querySelector("main")?.textContent;
  await until(() => expect(shown()).toContain("None so far"));
  expect(shown()).toContain("still reading");
  expect(shown()).not.toContain("No session changed");
  complete = true;
  await act(() => page.client.refetchQueries());
  await page.settle();
  expect(shown()).toContain("No session changed or read such a file");
});
