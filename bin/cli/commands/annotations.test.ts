import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { makeTree } from "@/lib/testing/log-tree";
import { moveAnnotations } from "./annotations.mjs";

it("says what is wrong with the file that it was given", async () => {
  const server = await fakeApi((_, response) =>
    response.end(JSON.stringify({ total: 0, items: [], warnings: [] })),
  );
  const folder = makeTree({ file: ["{}"] });
  const path = (name: string) => join(folder, name);
  const exportTo = (output: string) =>
    moveAnnotations(server, { name: "annotations", action: "export", output });
  const importFrom = (file: string) =>
    moveAnnotations(server, { name: "annotations", action: "import", file });
  await expect(exportTo(path("none/a.json"))).rejects.toThrow(`there is no folder ${path("none")}. Check`);
  await expect(exportTo(path("file"))).rejects.toThrow("is there already. Give another file.");
  await expect(importFrom(path("none.json"))).rejects.toThrow(`there is no file ${path("none.json")}. Check`);
  await expect(importFrom(folder)).rejects.toThrow(`${folder} is a folder. Give a file.`);
  await expect(importFrom(path("file"))).rejects.toThrow("holds no W3C Web Annotations.");
});

it("says which lines of the file of annotations are not in what it exports", async () => {
  const warnings = [
    { code: "annotations-damaged", message: "1 line can’t be read, at byte 40", hint: "It stays." },
    { code: "shares-newer", message: "Something else", hint: "" },
  ];
  const server = await fakeApi(({ url }, response) =>
    response.end(JSON.stringify(url === "/api/health" ? { warnings } : { total: 0, items: [] })),
  );
  const said: unknown[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const written = vi.spyOn(stream, "write").mockImplementation((text) => said.push(text) > 0);
    onTestFinished(() => written.mockRestore());
  }
  await moveAnnotations(server, { name: "annotations", action: "export", output: undefined });
  expect(said).toEqual([
    "backscroll: 1 line can’t be read, at byte 40. It stays.\n",
    '{\n  "total": 0,\n  "items": []\n}\n',
  ]);
});
