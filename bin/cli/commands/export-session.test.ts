import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { exportSession } from "./export-session.mjs";

let folder = "";
let api: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-export-"));
  api = createServer(({ url = "" }, response) => {
    if (url.includes("broken")) return void response.write("half", () => response.destroy());
    const list = { sessions: [{ id: "abc" }], nextCursor: null };
    response.end(JSON.stringify(url.includes("health") ? { indexing: { phase: "done" } } : list));
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  api.close();
  rmSync(folder, { recursive: true });
});

function exported(query: string, output: string): Promise<void> {
  const { port } = api.address() as AddressInfo;
  const server = { host: "127.0.0.1", port, basePath: "", token: "" };
  return exportSession(server, { sessions: ["abc"], query, output, isZip: false });
}

it("says of an export that the server broke off that the file is not whole, and not that it cannot be written", async () => {
  const output = join(folder, "a.md");
  await expect(exported("broken", output)).rejects.toThrow(
    `the server broke off (aborted), so ${output} is not whole. Try again.`,
  );
});

it("says why a file cannot be written", async () => {
  const output = join(folder, "none", "a.md");
  await expect(exported("format=md", output)).rejects.toThrow(
    `cannot write ${output}: ENOENT. Give another file with --output FILE.`,
  );
});
