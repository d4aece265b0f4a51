import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { waitForIndex } from "./index-logs.mjs";

it("prints at the end what the page would warn of, so that no table is taken for more than it is", async () => {
  const indexing = { phase: "done", done: true, filesDone: 1, filesTotal: 1, bytesDone: 1, bytesTotal: 1 };
  const warnings = [
    { code: "prices-unusable", message: "The prices cannot be used", hint: "Correct the file." },
    { code: "unreadable", message: "Permission denied", hint: "Check who may read it.", path: "/logs/a" },
  ];
  const api = createServer((_, response) => response.end(JSON.stringify({ indexing, warnings })));
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  onTestFinished(() => {
    stderr.mockRestore();
    api.close();
  });
  const { port } = api.address() as AddressInfo;
  expect(await waitForIndex({ host: "127.0.0.1", port, basePath: "", token: "" })).toEqual(indexing);
  expect(stderr.mock.calls.map(([text]) => text)).toEqual([
    "backscroll: The prices cannot be used. Correct the file.\n",
    "backscroll: /logs/a: Permission denied. Check who may read it.\n",
  ]);
});
