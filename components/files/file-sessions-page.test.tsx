// @vitest-environment page
import { act } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage, until } from "@/lib/testing/drawn-page";
import type { KnownFilesResponse } from "@/lib/wire/files";
import { FileSessionsPage } from "./file-sessions-page";

vi.mock("@/components/share/page-menu", () => ({ PageMenu: () => null }));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/files" }));

/** Answers for no session of a file, and with these known files. */
function answer(known: () => KnownFilesResponse): void {
  vi.stubGlobal("fetch", async (path: string) => {
    const { complete } = known();
    if (path.startsWith("/api/files/known")) return Response.json(known());
    return Response.json(
      path.startsWith("/api/files")
        ? { sessions: [], readers: [], nextCursor: null, complete }
        : { indexing: { done: complete }, warnings: [] },
    );
  });
}

const FILES: KnownFilesResponse = {
  files: [
    { path: "/home/dev/shop/src/cart.ts", projectPath: "/home/dev/shop", sessions: 2, lastActiveAtMs: 1e12 },
    { path: "/etc/hosts", projectPath: "/home/dev/shop", sessions: 1, lastActiveAtMs: null },
  ],
  total: 340,
  complete: true,
};

it("lists the files that were lately changed, each with the way to its sessions", async () => {
  answer(() => FILES);
  window.history.replaceState(null, "", "/files");
  await drawnPage().draw(<FileSessionsPage />);
  const links = () => [...document.querySelectorAll<HTMLAnchorElement>("main ol a")];
  await until(() =>
    expect(links().map(({ textContent }) => textContent)).toEqual(["src/cart.ts", "/etc/hosts"]),
  );
  expect(links()[0]?.getAttribute("href")).toBe("/files?path=%2Fhome%2Fdev%2Fshop%2Fsrc%2Fcart.ts");
  expect(document.querySelector("main")?.textContent).toContain("338 more. Type a part of the path");
});

it("lists a file in whose name a log has half of a character", async () => {
  const [file] = FILES.files;
  answer(() => ({ ...FILES, files: [{ ...file, path: "/home/dev/shop/\ud83d.ts" } as never] }));
  window.history.replaceState(null, "", "/files");
  await drawnPage().draw(<FileSessionsPage />);
  await until(() =>
    expect(document.querySelector("main ol a")?.getAttribute("href")).toBe(
      "/files?path=%2Fhome%2Fdev%2Fshop%2F%EF%BF%BD.ts",
    ),
  );
});

it("offers the files with the asked path in theirs where no session changed one at it", async () => {
  const asked: string[] = [];
  answer(() => FILES);
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return fetch(path);
  });
  window.history.replaceState(null, "", "/files?path=car");
  await drawnPage().draw(<FileSessionsPage />);
  await until(() =>
    expect(document.querySelector("main h2")?.textContent).toContain("It is a part of these"),
  );
  expect(asked.find((path) => path.startsWith("/api/files/known"))).toContain("q=car&");
});

it("says of files that it offers before every session has been read that none was found so far", async () => {
  answer(() => ({ ...FILES, complete: false }));
  window.history.replaceState(null, "", "/files?path=car");
  await drawnPage().draw(<FileSessionsPage />);
  await until(() =>
    expect(document.querySelector("main h2")?.textContent).toContain("It is a part of these"),
  );
  expect(document.querySelector("main h2")?.textContent).toContain("None so far");
});

it("does not say that no session changed a file before every session has been read", async () => {
  let complete = false;
  answer(() => ({ files: [], total: 0, complete }));
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
