import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { PromptHistory } from "./prompt-history";

let folder: string;
let file: string;
let history: PromptHistory;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backscroll-history-"));
  file = join(folder, "history.jsonl");
  history = new PromptHistory([{ path: folder, kind: "config" }]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As 2.0.76 and later write it; 1.0.128 does not name the session. */
const entry = (display: string, timestamp: number, sessionId: string | undefined = "a") =>
  `${JSON.stringify({ display, pastedContents: {}, timestamp, project: "/home/dev/shop", sessionId })}\n`;

describe("what was typed last", () => {
  it("is known by its session, and told once", () => {
    expect([...history.read()]).toEqual([]);
    writeFileSync(file, entry("fix it", 1) + entry("test it", 2, "b"));
    expect([...history.read()]).toEqual(["a", "b"]);
    expect([...history.read()]).toEqual([]);
    appendFileSync(file, entry("/compact keep the names", 3));
    expect([...history.read()]).toEqual(["a"]);
    expect(history.lastOf("a")).toMatchObject({ atMs: 3, compacts: true, words: "/compact" });
    expect(history.lastOf("b")).toMatchObject({ atMs: 2, compacts: false });
    expect(history.lastOf("c")).toBe(null);
  });

  it("is a command for the shell, too (2.0.42–2.1.330)", () => {
    writeFileSync(file, entry("! npm test ", 1) + entry("!", 2, "b"));
    expect([...history.read()]).toEqual(["a"]);
    expect(history.lastOf("a")).toMatchObject({
      ...{ atMs: 1, compacts: false },
      ...{ shell: "npm test", words: "!npm test" },
    });
  });

  it("is no command that the client answers itself, and nothing that is no entry", () => {
    writeFileSync(file, ["/cost", "# be brief", " ", "/compacted"].map((text) => entry(text, 1)).join(""));
    appendFileSync(
      file,
      `null\n{"display"\n[]\n\n${entry("old", 1, undefined)}`.replace('"sessionId":"a"', '"x":1'),
    );
    expect([...history.read()]).toEqual([]);
  });

  it("waits for a whole line, and reads a file that was written anew", () => {
    const line = entry("fix it", 1);
    writeFileSync(file, line.slice(0, 20));
    expect([...history.read()]).toEqual([]);
    appendFileSync(file, line.slice(20));
    expect([...history.read()]).toEqual(["a"]);
    writeFileSync(file, entry("hi", 2, "b"));
    expect([...history.read()]).toEqual(["b"]);
  });

  it("is read in a configuration folder that is a link", () => {
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    onTestFinished(() => rmSync(link));
    history = new PromptHistory([{ path: link, kind: "config" }]);
    writeFileSync(file, entry("fix it", 1));
    expect([...history.read()]).toEqual(["a"]);
  });

  it("is not read through a link that leads out of the folder", () => {
    const other = mkdtempSync(join(tmpdir(), "backscroll-elsewhere-"));
    writeFileSync(join(other, "h.jsonl"), entry("fix it", 1));
    symlinkSync(join(other, "h.jsonl"), file);
    expect([...history.read()]).toEqual([]);
    rmSync(other, { recursive: true, force: true });
  });
});
