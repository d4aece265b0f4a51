import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Live } from "@/lib/server/live/live";
import { ClientShells } from "@/lib/server/live/told/client-shells";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { configFor, idOf, openFolder } from "@/lib/testing/transcript";

const SESSION = "5be11000-0000-4000-8000-000000000000";
const dir = mkdtempSync(join(tmpdir(), "backscroll-shells-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function line(role: "user" | "assistant", content: unknown, atMs = Date.now()): string {
  const message = { role, id: "msg_1", model: "claude-opus-4-5", content };
  const base = { type: role, uuid: crypto.randomUUID(), parentUuid: null };
  return `${JSON.stringify({ ...base, timestamp: new Date(atMs).toISOString(), message })}\n`;
}

it.runIf(process.platform === "linux")(
  "tells of a command as it begins and ends, though nothing is written then",
  async () => {
    const project = join(dir, "projects", "-home-dev-shop");
    mkdirSync(project, { recursive: true });
    mkdirSync(join(dir, "sessions"));
    const log = join(project, `${SESSION}.jsonl`);
    writeFileSync(log, line("user", "wait for it"));
    // This process is the client.
    const { pid } = process;
    const entry = {
      pid,
      sessionId: SESSION,
      startedAt: Date.now() - process.uptime() * 1_000,
      status: "busy",
      statusUpdatedAt: Date.now(),
    };
    writeFileSync(join(dir, "sessions", `${pid}.json`), JSON.stringify(entry));
    const folder = await openFolder(dir);
    const scanner = new Scanner(folder.catalog, openLibraryIndex(null), new RequestActivity());
    const live = new Live(folder.catalog, folder.sessions, scanner, configFor(dir));
    const id = idOf(folder, SESSION);
    const looks = vi.spyOn(ClientShells.prototype, "look");
    /** Waits until the clients' processes were looked at, twice from now on. */
    const looked = async () => {
      const before = looks.mock.calls.length;
      await expect.poll(() => looks.mock.calls.length, { interval: 5 }).toBeGreaterThan(before + 1);
    };
    const closing = new AbortController();
    const view = { branch: null, agent: null, detail: "everything", fold: "", runs: null } as const;
    const folding = { fold: [], runs: null };
    live.open({ session: id, since: null, view, folding, beside: [], signal: closing.signal });
    await live.start(Promise.resolve());
    const does = () => {
      const doing = live.state(id)?.doing;
      return [doing?.kind, doing?.subject, doing?.recordId && "in the log"].filter(Boolean).join(", ");
    };
    await expect.poll(does).toBe("thinking");
    const script = "true && eval 'read line' && pwd -P >| /dev/null/claude-1a2b-cwd";
    // It begins between two looks, and what came before it, before the first of them.
    await looked();
    const callMs = Date.now();
    const shell = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
    await expect.poll(does, { interval: 5 }).toBe("tool, read line");
    const call = { type: "tool_use", id: "t1", name: "Bash", input: { command: "read line" } };
    appendFileSync(log, line("assistant", [call], callMs));
    live.touch(log);
    await expect.poll(does).toBe("tool, read line, in the log");
    shell.stdin.end();
    await once(shell, "exit");
    await expect.poll(does, { interval: 5 }).toBe("thinking");
    // Nothing is looked at while nobody is connected, and again when somebody is.
    closing.abort();
    const before = looks.mock.calls.length;
    const resultMs = Date.now();
    appendFileSync(log, line("user", [{ type: "tool_result", tool_use_id: "t1", content: "" }], resultMs));
    live.touch(log);
    await expect.poll(() => live.state(id)?.lastLineAtMs).toBe(resultMs);
    expect(looks.mock.calls.length).toBe(before);
    const back = new AbortController();
    live.open({ session: null, since: null, view, folding, beside: [], signal: back.signal });
    await looked();
    const next = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"] });
    await expect.poll(does, { interval: 5 }).toBe("tool, read line");
    next.stdin.end();
    back.abort();
    live.stop();
  },
);
