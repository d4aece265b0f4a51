import { join } from "node:path";
import { expect, it } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { makeTree } from "@/lib/testing/log-tree";
import { moveAnnotations } from "./annotations.mjs";

it("says what is wrong with the file that it was given", async () => {
  const server = await fakeApi((_, response) => response.end(JSON.stringify({ total: 0, items: [] })));
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
