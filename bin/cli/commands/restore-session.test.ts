import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { makeTree } from "@/lib/testing/log-tree";
import { placeIn, restoreSession } from "./restore-session.mjs";

it("says how many files it wrote, and how large they are together as all commands do", async () => {
  const to = mkdtempSync(join(tmpdir(), "backscroll-restore-"));
  const said = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => {
    said.mockRestore();
    rmSync(to, { recursive: true });
  });
  const log = "x".repeat(1_260_000);
  const path = "projects/-a/abc.jsonl";
  const server = await fakeApi(({ url = "" }, response) => {
    if (url.includes("path=")) return void response.end(log);
    const answers = {
      health: { indexing: { phase: "done" } },
      originals: { files: [{ path, bytes: log.length }] },
    };
    const [, answer] = Object.entries(answers).find(([name]) => url.includes(name)) ?? [];
    response.end(JSON.stringify(answer ?? { sessions: [{ id: "abc" }], nextCursor: null }));
  });
  await restoreSession(server, { session: "abc", to, project: null });
  expect(said.mock.calls.flat().join("")).toBe(`Restored 1 file, 1.3 MB, to ${to}\n`);
  expect(readFileSync(join(to, path), "utf8")).toBe(log);
});

it("puts a session's logs where the client looks for them from another folder, and leaves what is there by its id", async () => {
  const to = mkdtempSync(join(tmpdir(), "backscroll-restore-"));
  const said = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  onTestFinished(() => {
    said.mockRestore();
    rmSync(to, { recursive: true });
  });
  const id = "74c3ddfa-b2e4-4739-b11f-ae4eab43e618";
  const old = `projects/-old-shop/${id}.jsonl`;
  const paths = [old, `projects/-old-shop/${id}/tool-results/a.txt`, `todos/${id}.json`, "plans/a.md"];
  const server = await fakeApi(({ url = "" }, response) => {
    if (url.includes("path=")) return void response.end("text");
    const files = paths.map((path) => ({ path, bytes: 4 }));
    const answers = { health: { indexing: { phase: "done" } }, originals: { files } };
    const [, answer] = Object.entries(answers).find(([name]) => url.includes(name)) ?? [];
    response.end(JSON.stringify(answer ?? { sessions: [{ id }], nextCursor: null }));
  });
  for (const folder of ["projects/-old-shop", "todos"]) mkdirSync(join(to, folder), { recursive: true });
  for (const path of [old, `todos/${id}.json`]) writeFileSync(join(to, path), "there");
  await restoreSession(server, { session: id, to, project: "/new/my shop" });
  expect(readFileSync(join(to, `projects/-new-my-shop/${id}.jsonl`), "utf8")).toBe("text");
  expect(existsSync(join(to, `projects/-new-my-shop/${id}/tool-results/a.txt`))).toBe(true);
  expect(existsSync(join(to, "plans/a.md"))).toBe(true);
  for (const path of [old, `todos/${id}.json`]) expect(readFileSync(join(to, path), "utf8")).toBe("there");
  expect(said.mock.calls.flat().join("")).toBe(
    `Restored 3 files, 12 B, to ${to}\nResume it in /new/my shop: claude --resume ${id}\n`,
  );
  const again = restoreSession(server, { session: id, to, project: "/new/my shop" });
  await expect(again).rejects.toThrow("is there already. Nothing was written");
});

it("does not guess the client's name for a very long path", () => {
  expect(placeIn("/new/shop.v2", "projects/-a/x.jsonl")).toBe("projects/-new-shop-v2/x.jsonl");
  expect(placeIn("/new", "todos/projects/-a/x.json")).toBe("todos/projects/-a/x.json");
  expect(() => placeIn(`/${"a".repeat(200)}`, "projects/-a/x.jsonl")).toThrow("is not known");
});

it("leaves neither files nor folders where one file is not what it was", async () => {
  const server = await fakeApi(({ url = "" }, response) => {
    if (url.includes("path=")) return void response.end("text");
    const files = ["a", "b"].map((name, at) => ({ path: `projects/-p/${name}.jsonl`, bytes: 4 + at }));
    const answers = { health: { indexing: { phase: "done" } }, originals: { files } };
    const [, answer] = Object.entries(answers).find(([name]) => url.includes(name)) ?? [];
    response.end(JSON.stringify(answer ?? { sessions: [{ id: "s1" }], nextCursor: null }));
  });
  const to = makeTree({ "kept/mine": [""] });
  const restored = restoreSession(server, { session: "s1", to, project: null });
  await expect(restored).rejects.toThrow("b.jsonl changed while it was read");
  expect(readdirSync(to)).toEqual(["kept"]);
});

it("says that a file is no folder to restore to", async () => {
  const server = await fakeApi(({ url = "" }, response) => {
    const answers = {
      health: { indexing: { phase: "done" } },
      sessions: { sessions: [{ id: "s1" }], nextCursor: null },
      originals: { files: [{ path: "projects/-home-dev-shop/s1.jsonl", bytes: 1 }] },
    };
    const name = /(\w+)(\?.*)?$/.exec(url)?.[1] as keyof typeof answers;
    response.end(JSON.stringify(answers[name]));
  });
  const to = join(makeTree({ file: [""] }), "file");
  await expect(restoreSession(server, { session: "s1", to, project: null })).rejects.toThrow(
    `${to} is no folder. Nothing was written: give another --to FOLDER.`,
  );
});
