import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { configFor, idOf, openFolder } from "@/lib/testing/transcript";

const SESSION = "11fe0000-0000-4000-8000-000000000000";
const FOREVER = new Promise<never>(() => undefined);

const dir = mkdtempSync(join(tmpdir(), "backscroll-state-first-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function line(type: "user" | "assistant", content: unknown): string {
  const timestamp = new Date().toISOString();
  const message = { role: type, id: "msg_1", model: "claude-opus-4-5", content };
  return `${JSON.stringify({ type, uuid: crypto.randomUUID(), parentUuid: null, timestamp, message })}\n`;
}

it("tells what a session does although its rows, and those of lines before, are still being read", async () => {
  const project = join(dir, "projects", "-home-dev-shop");
  mkdirSync(project, { recursive: true });
  const log = join(project, `${SESSION}.jsonl`);
  writeFileSync(log, line("user", "test it"));
  const folder = await openFolder(dir);
  const { catalog } = folder;
  const sessions: typeof folder.sessions = Object.create(folder.sessions, {
    latest: { value: () => FOREVER },
  });
  const live = new Live(
    catalog,
    sessions,
    new Scanner(catalog, openLibraryIndex(null), new RequestActivity()),
    configFor(dir),
  );
  const id = idOf(folder, SESSION);
  const closing = new AbortController();
  const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
  const folding = { fold: [], runs: null };
  live.open({ session: id, since: null, view, folding, beside: [], signal: closing.signal });
  const after = (lines: string) => {
    appendFileSync(log, lines);
    live.touch(log);
    return expect.poll(() => live.state(id)?.doing?.kind);
  };
  const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } };
  await after(line("assistant", [call])).toBe("tool");
  await after(line("user", [{ type: "tool_result", tool_use_id: "t1", content: "" }])).toBe("thinking");
  closing.abort();
  live.stop();
});
