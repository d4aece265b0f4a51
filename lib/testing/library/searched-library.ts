import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { openSearch } from "@/lib/server/search/search";

/**
 * A configuration folder that is listed, read and searched in this thread, as the server does it in others, until the test
 * has finished. `readOn` takes in what was written since.
 * @param isIndexed whether there is a data folder for the index
 */
export async function searchedLibrary(path: string, isIndexed = true) {
  const catalog = new Catalog([{ path, kind: "config" }]);
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-searched-")));
  const index = openLibraryIndex(isIndexed ? dataDir : null);
  const scanner = new Scanner(catalog, index, new RequestActivity());
  const readOn = async () => {
    await catalog.list();
    await scanner.run();
  };
  await readOn();
  const search = openSearch({ catalog, scanner, index });
  onTestFinished(() => {
    scanner.stop();
    search.stop();
    index.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { catalog, scanner, index, search, readOn };
}
