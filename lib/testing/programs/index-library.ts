import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Catalog } from "@/lib/server/library/catalog";

// Indexes a folder of logs from beginning to end, as the server's thread does. Prints a letter when it begins.
const [tree = "", dataDir = ""] = process.argv.slice(2);
const catalog = new Catalog([{ path: tree, kind: "config" }]);
await catalog.list();
const index = openLibraryIndex(dataDir);
await index.open();
process.stdout.write("x");
for (const { id } of catalog.summaries()) await index.index(catalog.sessionFiles(id));
index.stop();
