import { expect, it } from "vitest";
import { bundleExportedPage } from "./exported-page.mjs";

// Where one of its modules was moved, and so not replaced, every exported file held Next's router, and showed nothing.
it("the page of an exported file holds nothing that needs a server's page", async () => {
  const { files } = await bundleExportedPage();
  expect(files).toContain("components/exported/stand-ins.tsx");
  const needless = /node_modules\/next\/|lib\/client\/address\/(?!session-url|base-path)/;
  expect(files.filter((file) => needless.test(file))).toEqual([]);
}, 60_000);
