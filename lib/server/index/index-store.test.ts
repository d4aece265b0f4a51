import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { openIndexFile } from "./index-file";
import { IndexStore, sumOf } from "./index-store";

const CHUNKS = 400;
const TEXT_BYTES = 50_000;

test("the check of all texts leaves none of them in memory", () => {
  const folder = mkdtempSync(join(tmpdir(), "backscroll-index-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = openIndexFile(folder);
  if (!file.database) throw new Error("no index");
  onTestFinished(() => file.close());
  const store = new IndexStore(file.database);
  const chunk = { signature: Buffer.alloc(1024, 1), places: "[[],[]]", texts: Buffer.alloc(TEXT_BYTES, "a") };
  const insert = file.database.prepare(
    "INSERT INTO chunks(session, sum, signature, signature_sum, places, texts) VALUES (1, ?, ?, ?, ?, ?)",
  );
  file.database.exec("BEGIN");
  for (let n = 0; n < CHUNKS; n++)
    insert.run(sumOf(chunk), chunk.signature, crc32(chunk.signature, 1), chunk.places, chunk.texts);
  file.database.exec("COMMIT");
  const before = process.memoryUsage().arrayBuffers;
  expect(store.check()).toBeNull();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * TEXT_BYTES);
  file.database.exec("UPDATE chunks SET texts = zeroblob(7) WHERE rowid = (SELECT max(rowid) FROM chunks)");
  expect(store.check()).toBe("a text's checksum is wrong");
});
