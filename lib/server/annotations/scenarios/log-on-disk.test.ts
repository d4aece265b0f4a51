import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  annotationBody,
  annotationFolder,
  OTHER_SESSION,
  openAnnotations,
} from "@/lib/testing/library/annotated";
import { bundleProgram } from "@/lib/testing/programs/run-program";
import { runs, seededRandom } from "@/lib/testing/runs";
import { toCollection } from "../web-annotation";

test("a log that is cut anywhere in its last line loses only that line, and accepts the next", async () => {
  const { annotations, folder } = openAnnotations();
  const kept = await annotations.add(annotationBody("note", "Kept"));
  const path = join(folder, "annotations.jsonl");
  const before = readFileSync(path);
  await annotations.add(annotationBody("note", "torn é", { target: { sessionId: OTHER_SESSION } }));
  const after = readFileSync(path);
  expect(after.length - before.length).toBeGreaterThan(200);
  for (let cut = before.length; cut < after.length - 1; cut++) {
    writeFileSync(path, after.subarray(0, cut));
    const next = openAnnotations(folder).annotations;
    await next.add(annotationBody("tag", `after ${cut}`));
    const { annotations: all } = await next.list(null);
    // Without its newline a line may be whole all the same: the next one brings it.
    expect(all.map(({ body: text }) => text).filter((text) => !text.startsWith("torn"))).toEqual([
      kept.body,
      `after ${cut}`,
    ]);
  }
});

test("lines of a newer version stay, and readers are told how many there are", async () => {
  const { annotations, folder, said: told } = openAnnotations();
  await annotations.add(annotationBody("star"));
  appendFileSync(join(folder, "annotations.jsonl"), '\n{"op":"glow","id":"x"}\n');
  await annotations.add(annotationBody("tag", "a"));
  expect(told.warnings.map(({ message }) => message)).toEqual([
    "A newer Backscroll wrote 1 annotation that this one can’t read",
  ]);
  expect((await annotations.list(null)).sequence).toBe(3);
});

test("a line with a moment that no date has keeps nothing else from being exported", async () => {
  const { annotations, folder } = openAnnotations();
  await annotations.add(annotationBody("tag", "sound"));
  const path = join(folder, "annotations.jsonl");
  const line = readFileSync(path, "utf8")
    .trim()
    .replace(/test-id-\d+/, "odd")
    .replace('"sound"', '"odd"');
  appendFileSync(path, `\n${line.replace(/"createdAtMs":\d+/, '"createdAtMs":1e300')}\n`);
  const { annotations: all } = await annotations.list(null);
  expect(toCollection(all)).toMatchObject({ total: 1 });
});

test("a damaged line stays where it is, and readers are told of it until it is mended", async () => {
  const { annotations, folder } = openAnnotations();
  const path = join(folder, "annotations.jsonl");
  await annotations.add(annotationBody("note", "Damaged later"));
  await annotations.add(annotationBody("tag", "sound"));
  const sound = readFileSync(path);
  const damaged = Buffer.from(sound);
  damaged.fill(0, 40, 60);
  writeFileSync(path, damaged);
  const next = openAnnotations(folder);
  await next.annotations.start();
  expect(next.said.warnings).toMatchObject([
    {
      code: "annotations-damaged",
      message: "1 line of the file of annotations can’t be read, at byte 1",
      path,
    },
  ]);
  await next.annotations.add(annotationBody("tag", "added"));
  expect(readFileSync(path).subarray(0, damaged.length)).toEqual(damaged);
  expect((await next.annotations.list(null)).annotations.map(({ body: text }) => text)).toEqual([
    "sound",
    "added",
  ]);
  rmSync(path);
  writeFileSync(path, sound);
  expect((await next.annotations.list(null)).annotations).toHaveLength(2);
  expect(next.said.warnings).toEqual([]);
});

test("a folder or a pipe in the file’s place is told once, never waited for, and no longer when it is gone", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => reported.mockRestore());
  for (const make of [(path: string) => mkdirSync(path), (path: string) => execFileSync("mkfifo", [path])]) {
    if (process.platform === "win32" && make.toString().includes("mkfifo")) continue;
    const folder = annotationFolder();
    const path = join(folder, "annotations.jsonl");
    make(path);
    const { annotations, said: told } = openAnnotations(folder);
    await annotations.start();
    expect(told.warnings).toMatchObject([{ code: "annotations-unreadable", path }]);
    expect(told.warnings[0]?.hint).toContain("Move it away");
    await expect(annotations.add(annotationBody("star"))).rejects.toMatchObject({
      code: "annotations-unreadable",
    });
    rmSync(path, { recursive: true });
    await annotations.add(annotationBody("star"));
    expect(told.warnings).toEqual([]);
  }
  expect(reported).not.toHaveBeenCalled();
});

test("a line that is longer than any event is told at once and passed over; all around it is read", async () => {
  const { annotations, folder, said: told } = openAnnotations();
  await annotations.add(annotationBody("tag", "before"));
  const path = join(folder, "annotations.jsonl");
  const before = readFileSync(path).length;
  appendFileSync(path, "x".repeat(9 << 20));
  expect((await annotations.list(null)).annotations).toHaveLength(1);
  expect(told.warnings[0]?.message).toContain(`at byte ${before.toLocaleString("en")}`);
  await annotations.add(annotationBody("tag", "after"));
  appendFileSync(path, "\n".repeat(3 << 20));
  await annotations.add(annotationBody("tag", "behind empty lines"));
  for (const reader of [annotations, openAnnotations(folder).annotations])
    expect((await reader.list(null)).annotations.map(({ body: text }) => text)).toEqual([
      "before",
      "after",
      "behind empty lines",
    ]);
  expect(told.warnings).toHaveLength(1);
});

test("what was acknowledged as written is there after kill -9", async () => {
  const bundled = annotationFolder();
  const program = await bundleProgram("annotate", bundled);
  const random = seededRandom(19);
  const folder = annotationFolder();
  const written: string[] = [];
  for (let run = 0; run < runs(3, 220); run++) {
    const child = spawn(process.execPath, [program, folder]);
    const wanted = 1 + random(40);
    let text = "";
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.split("\n").length > wanted) child.kill("SIGKILL");
      });
      child.once("close", () => resolve());
    });
    written.push(...text.split("\n").slice(0, -1));
  }
  const { annotations } = await openAnnotations(folder).annotations.list(null);
  const there = new Set(annotations.map(({ id }) => id));
  expect(written.filter((id) => !there.has(id))).toEqual([]);
  expect(there.size).toBeGreaterThanOrEqual(written.length);
});
