import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { structuredPatch } from "diff";
import fc from "fast-check";
import { expect, it } from "vitest";
import { uuid } from "@/lib/testing/log-tree";
import { sampled } from "@/lib/testing/runs";
import { openFolder } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";
import { blameOf, fileAt } from "./session-files";

/*
 * Random scripts of edits, by main and by an agent, with rewinds, run on a real file and logged as the client logs them.
 * Every line that is written says which step wrote it, so that blame can be compared with the file itself.
 */

const WORKING = "/home/dev/shop";
const PATH = `${WORKING}/notes.txt`;
const NAME = createHash("sha256").update(PATH).digest("hex").slice(0, 16);
const SESSION = uuid(1);
const START_MS = Date.parse("2026-01-02T03:04:05.000Z");

type Kind = "edit" | "write" | "remove" | "all" | "read" | "part" | "outside" | "rewind" | "restore";
type Step = { kind: Kind; agent: boolean; at: number; size: number };

const KINDS: readonly Kind[] = [
  "edit",
  "write",
  "remove",
  "all",
  "read",
  "part",
  "outside",
  "rewind",
  "restore",
];

/** A line of a step is never written by another. */
function linesOf(step: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${n % 3 === 0 ? "\t" : ""}step ${step} line ${n} $& word`);
}

/** Runs a script in a folder as the client would, and logs it. */
class Script {
  readonly after: { record: string; text: string }[] = [];
  readonly #file: string;
  #known: string | null = null;
  #nowMs = START_MS;
  #lines = 0;
  #parents: Record<"main" | "agent", string | null> = { main: null, agent: null };
  readonly #logs: Record<"main" | "agent", string[]> = { main: [], agent: [] };
  readonly #prompts: { line: string; text: string }[] = [];
  #backups = 0;

  constructor(readonly dir: string) {
    this.#file = join(dir, "working", "notes.txt");
    mkdirSync(dirname(this.#file), { recursive: true });
    this.#prompt();
    const call = this.#call(
      "main",
      "Agent",
      { prompt: "help", description: "help", subagent_type: "x" },
      "toolu_agent",
    );
    this.#line("agent", { type: "user", message: { role: "user", content: "help" } });
    this.#result("main", call, "Async agent launched", {
      isAsync: true,
      status: "async_launched",
      agentId: "a1",
    });
    this.#save(linesOf(0, 8).join("\n") + "\n");
    this.#write("main", this.#text(), null);
  }

  run(steps: readonly Step[]): void {
    for (const [index, step] of steps.entries()) this.#step(index + 1, step);
    for (const who of ["main", "agent"] as const) {
      const name = who === "main" ? `${SESSION}.jsonl` : join(SESSION, "subagents", "agent-a1.jsonl");
      const path = join(this.dir, "projects", "-home-dev-shop", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, this.#logs[who].join(""));
      if (who === "agent")
        writeFileSync(
          path.replace(".jsonl", ".meta.json"),
          JSON.stringify({ agentType: "x", toolUseId: "toolu_agent" }),
        );
    }
  }

  #step(number: number, { kind, agent, at, size }: Step): void {
    const who = agent ? "agent" : "main";
    if (kind === "rewind" || kind === "restore") return this.#rewind(at, kind === "restore");
    if (kind === "outside") return this.#save(linesOf(number, size + 1).join("\n"));
    // The client refuses to change a file that it has not read as it is.
    if (this.#known !== this.#text()) this.#read(who, null);
    const before = this.#text();
    const lines = before.split("\n");
    const line = lines[at % lines.length] ?? "";
    const made = linesOf(number, size + 1).join("\n");
    if (kind === "read") this.#read(who, null);
    else if (kind === "part") this.#read(who, { offset: 1 + (at % lines.length), limit: size + 1 });
    else if (kind === "write" || line === "")
      this.#write(who, size % 2 ? made : `${lines[0]}\n${made}\n`, before);
    else if (kind === "all") this.#edit(who, "word", `word of ${number}`, true);
    else this.#edit(who, line, kind === "remove" ? "" : size % 2 ? made : `${line}\n${made}`, false);
  }

  #edit(who: "main" | "agent", from: string, to: string, all: boolean): void {
    const before = this.#text();
    // As the client does: what is replaced by nothing takes the end of its line with it.
    const gone = to === "" && before.includes(`${from}\n`) ? `${from}\n` : from;
    const after = all ? before.split(gone).join(to) : before.replace(gone, () => to);
    const input = { file_path: PATH, old_string: from, new_string: to, replace_all: all };
    const call = this.#call(who, "Edit", input);
    this.#save(after);
    this.#known = after;
    this.#result(who, call, `The file ${PATH} has been updated successfully.`, {
      filePath: PATH,
      oldString: from,
      newString: to,
      originalFile: before,
      structuredPatch: patchOf(before, after),
      userModified: false,
      replaceAll: all,
    });
    this.after.push({ record: call.line, text: after });
  }

  #write(who: "main" | "agent", content: string, before: string | null): void {
    const call = this.#call(who, "Write", { file_path: PATH, content });
    this.#save(content);
    this.#known = content;
    this.#result(who, call, before === null ? `File created successfully at: ${PATH}` : "has been updated.", {
      type: before === null ? "create" : "update",
      filePath: PATH,
      content,
      originalFile: before,
      structuredPatch: before === null ? [] : patchOf(before, content),
    });
    this.after.push({ record: call.line, text: content });
  }

  #read(who: "main" | "agent", range: { offset: number; limit: number } | null): void {
    const lines = this.#text().split("\n");
    const from = range?.offset ?? 1;
    const shown = lines.slice(from - 1, range ? from - 1 + range.limit : undefined);
    const call = this.#call(who, "Read", { file_path: PATH, ...range });
    const text = shown.map((line, index) => `${from + index}\t${line}`).join("\n");
    const file = {
      filePath: PATH,
      content: shown.join("\n"),
      numLines: shown.length,
      startLine: from,
      totalLines: lines.length,
    };
    this.#result(who, call, text, { type: "text", file });
    if (range === null) this.#known = this.#text();
    this.after.push({ record: call.line, text: this.#text() });
  }

  /** To an earlier prompt, with the file as it was there or as it is; then the next prompt's snapshot is taken. */
  #rewind(at: number, restores: boolean): void {
    const to = this.#prompts[at % this.#prompts.length];
    if (restores && to) this.#save(to.text);
    if (restores && to) this.#known = null;
    this.#parents.main = to?.line ?? null;
    this.#prompt();
    const name = `${NAME}@v${++this.#backups}`;
    const path = join(this.dir, "file-history", SESSION, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.#text());
    const backup = { backupFileName: name, version: this.#backups, backupTime: this.#time() };
    const snapshot = { messageId: this.#parents.main, trackedFileBackups: { "notes.txt": backup } };
    this.#logs.main.push(
      `${JSON.stringify({ type: "file-history-snapshot", snapshot, isSnapshotUpdate: false })}\n`,
    );
  }

  #prompt(): void {
    this.#prompts.push({
      line: this.#parents.main ?? uuid(999),
      text: this.#prompts.length === 0 ? "" : this.#text(),
    });
    this.#line("main", {
      type: "user",
      message: { role: "user", content: `prompt ${this.#prompts.length}` },
    });
  }

  #call(who: "main" | "agent", name: string, input: object, id = `toolu_${this.#lines}`) {
    const content = [{ type: "tool_use", id, name, input }];
    const message = { id: `msg_${this.#lines}`, role: "assistant", model: "claude-x", content };
    return { id, line: this.#line(who, { type: "assistant", message }) };
  }

  #result(who: "main" | "agent", { id }: { id: string }, text: string, toolUseResult: object): void {
    const content = [{ type: "tool_result", tool_use_id: id, content: text }];
    // From 2.1.29 on an agent's lines have no structured result.
    this.#line(who, {
      type: "user",
      message: { role: "user", content },
      ...(who === "main" ? { toolUseResult } : {}),
    });
  }

  #line(who: "main" | "agent", record: object): string {
    this.#lines += 1;
    const id = uuid(1000 + this.#lines);
    const base = {
      parentUuid: this.#parents[who],
      isSidechain: who === "agent",
      cwd: WORKING,
      sessionId: SESSION,
    };
    const agent = who === "agent" ? { agentId: "a1" } : {};
    this.#logs[who].push(
      `${JSON.stringify({ ...base, ...agent, version: "2.1.110", uuid: id, timestamp: this.#time(), ...record })}\n`,
    );
    this.#parents[who] = id;
    return id;
  }

  #time(): string {
    this.#nowMs += 7;
    return new Date(this.#nowMs).toISOString();
  }

  #text(): string {
    return readFileSync(this.#file, "utf8");
  }

  #save(text: string): void {
    writeFileSync(this.#file, text);
  }
}

/** A patch as the client records it: the tabs at the beginning of its lines are spaces. */
function patchOf(before: string, after: string) {
  const spaced = (text: string) => text.replaceAll(/^\t+/gm, (tabs) => "  ".repeat(tabs.length));
  return structuredPatch("a", "a", spaced(before), spaced(after), "", "", { context: 3 }).hunks.map(
    (hunk) => ({
      ...hunk,
      lines: hunk.lines.filter((line) => !line.startsWith("\\")),
    }),
  );
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  agent: fc.boolean(),
  at: fc.nat(50),
  size: fc.nat(4),
});

it("a file is rebuilt at every step of any script, and blame names the step that wrote each line", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), async (steps) => {
      const dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-")));
      try {
        const script = new Script(dir);
        script.run(steps);
        const { catalog, sessions } = await openFolder(dir);
        const session = await sessions.latest(SESSION as SessionId);
        const around = catalog.surroundings(SESSION as SessionId);
        for (const { record, text } of script.after) {
          const at = session.recordId(session.findUuid(record));
          expect(await fileAt(session, around, PATH, at)).toMatchObject({
            content: text,
            complete: true,
            gaps: [],
          });
          const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
          const writers = lines.map(() => "nobody");
          for (const range of await blameOf(session, around, PATH, at)) {
            for (let line = range.fromLine; line <= range.toLine; line++)
              writers[line - 1] = `${range.how} ${range.recordId}`;
          }
          const byText = new Map<string, string>();
          for (const [index, line] of lines.entries()) {
            // What was replaced everywhere is of the step that did so; else the line says whose it is.
            const whose = /word of (\d+)/.exec(line)?.[1] ?? /step (\d+) /.exec(line)?.[1] ?? "";
            const writer = writers[index] as string;
            expect(writer).not.toBe("nobody");
            expect(byText.get(whose) ?? writer).toBe(writer);
            byText.set(whose, writer);
          }
          expect(new Set(byText.values()).size).toBe(byText.size);
        }
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }),
    sampled(20, 30, 3_000),
  );
});
