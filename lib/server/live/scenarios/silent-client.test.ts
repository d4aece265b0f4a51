import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { slugOf } from "@/lib/server/disk/folder-entries";
import { Catalog } from "@/lib/server/library/catalog";
import { LiveStates } from "@/lib/server/live/live-states";
import type { RootFolder } from "@/lib/server/runtime/config";

const SESSION = "5be11000-0000-4000-8000-000000000000";
const NEXT = "5be11000-0000-4000-8000-000000000001";

/** Calls itself a client, and appends what it is sent to the log that it is sent with it. */
const CLIENT = `
  process.title = "claude";
  const { appendFileSync } = require("node:fs");
  let text = "";
  process.stdin.on("data", (data) => {
    text += data;
    for (let end = text.indexOf("\\n"); end >= 0; end = text.indexOf("\\n")) {
      const { log, line } = JSON.parse(text.slice(0, end));
      text = text.slice(end + 1);
      appendFileSync(log, line);
      process.stdout.write("written\\n");
    }
  });
  process.stdout.write("ready\\n");
`;

/** Gives a program a terminal. */
const SCRIPT = "/usr/bin/script";
/** A client that does nothing but say its pid. */
const IDLE_CLIENT =
  'process.title = "claude"; process.stdin.resume(); process.stdout.write("pid " + process.pid);';

describe.runIf(process.platform === "linux")("a client that registers nothing", () => {
  let dir: string;
  let project: string;
  let logs: string;
  let states: LiveStates;
  let catalog: Catalog;
  const clients: ChildProcess[] = [];

  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "backscroll-silent-")));
    project = join(dir, "shop");
    logs = join(dir, "claude", "projects", slugOf(project));
    for (const folder of [project, logs]) mkdirSync(folder, { recursive: true });
    const roots: RootFolder[] = [{ path: join(dir, "claude"), kind: "config" }];
    catalog = new Catalog(roots);
    states = new LiveStates(catalog, roots, () => undefined);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await end(client);
    rmSync(dir, { recursive: true, force: true });
  });

  async function start(): Promise<ChildProcess> {
    const client = spawn(process.execPath, ["-e", CLIENT], {
      cwd: project,
      stdio: ["pipe", "pipe", "ignore"],
    });
    clients.push(client);
    await once(client.stdout as NodeJS.ReadableStream, "data");
    return client;
  }

  async function end(client: ChildProcess): Promise<void> {
    if (client.exitCode !== null || client.signalCode !== null) return;
    const ended = once(client, "exit");
    client.kill("SIGKILL");
    await ended;
  }

  /** A client writes a line, which is read. */
  async function writes(
    client: ChildProcess,
    role: string,
    content: unknown,
    session = SESSION,
  ): Promise<void> {
    const message = { role, id: "msg_1", model: "claude-sonnet-4-5", content, stop_reason: null };
    const base = { type: role, uuid: crypto.randomUUID(), parentUuid: null, sessionId: session };
    const line = `${JSON.stringify({ ...base, timestamp: new Date().toISOString(), cwd: project, message })}\n`;
    client.stdin?.write(`${JSON.stringify({ log: join(logs, `${session}.jsonl`), line })}\n`);
    await once(client.stdout as NodeJS.ReadableStream, "data");
    await catalog.list();
    await states.check(idOf(session));
  }

  function idOf(session: string) {
    const found = catalog.summaries().find(({ id }) => id.startsWith(session));
    if (!found) throw new Error("it is not listed");
    return found.id;
  }

  /** How the session stands after its client's process was looked at. */
  function standing(session = SESSION): string {
    states.checkProcesses();
    const state = states.get(idOf(session));
    return `${state?.state}${state?.gone ? ", gone" : ""}${state?.checked ? ", looked at" : ""}`;
  }

  async function converses(client: ChildProcess, session = SESSION): Promise<void> {
    await writes(client, "user", "hello", session);
    await writes(client, "assistant", [{ type: "text", text: "Hello." }], session);
  }

  const call = [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } }];

  it("has ended when its process has", async () => {
    const client = await start();
    await converses(client);
    await writes(client, "assistant", call);
    expect(standing()).toBe("running, looked at");
    await end(client);
    expect(standing()).toBe("interrupted, gone, looked at");
  });

  it("has not ended while another one in its folder may be it", async () => {
    const client = await start();
    await converses(client);
    const other = await start();
    await writes(client, "user", "go on");
    await end(other);
    expect(standing()).toBe("running, looked at");
    await end(client);
    expect(standing()).toBe("interrupted, gone, looked at");
  });

  it("is known to the next run of the server, before it writes again", async () => {
    const dataDir = join(dir, "data");
    mkdirSync(dataDir);
    const roots: RootFolder[] = [{ path: join(dir, "claude"), kind: "config" }];
    const run = () => new LiveStates(catalog, roots, () => undefined, undefined, dataDir);
    states = run();
    const client = await start();
    await converses(client);
    await writes(client, "assistant", call);
    expect(standing()).toBe("running, looked at");
    await expect.poll(() => existsSync(join(dataDir, "log-writers.json"))).toBe(true);
    states = run();
    await states.start();
    expect(standing()).toBe("running, looked at");
    await end(client);
    expect(standing()).toBe("interrupted, gone, looked at");
    // Without that it is not known.
    states = new LiveStates(catalog, roots, () => undefined);
    await states.start();
    expect(standing()).toBe("running");
  });

  it("has left a session when it writes another", async () => {
    const client = await start();
    await converses(client);
    expect(standing()).toBe("unknown, looked at");
    await converses(client, NEXT);
    expect(standing()).toBe("ended, looked at");
    expect(standing(NEXT)).toBe("unknown, looked at");
  });

  it("has ended also where it is killed in its first turn, after one look at its log", async () => {
    const client = await start();
    states.lookAtClients();
    // Files bear the time of the system's last tick.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writes(client, "user", "hello");
    expect(standing()).toBe("running, looked at");
    await end(client);
    expect(standing()).toBe("interrupted, gone, looked at");
  });

  it("is not taken for one of which nothing is seen", async () => {
    const client = await start();
    await writes(client, "user", "hello");
    // As far as can be seen, since nothing was written after that.
    await end(client);
    expect(standing()).toBe("running");
  });

  it.runIf(existsSync(SCRIPT))(
    "asks about a call, as its rest tells, also where its entry has no status (2.1.90, 2.1.110)",
    async () => {
      const terminal = spawn(
        SCRIPT,
        ["-qfc", `exec '${process.execPath}' -e '${IDLE_CLIENT}'`, "/dev/null"],
        {
          cwd: project,
          stdio: ["pipe", "pipe", "ignore"],
        },
      );
      clients.push(terminal);
      const [said] = await once(terminal.stdout as NodeJS.ReadableStream, "data");
      const pid = Number(/\d+/.exec(String(said))?.[0]);
      const line = (role: string, content: unknown) => {
        const message = { role, id: "msg_1", model: "claude-sonnet-4-5", content, stop_reason: null };
        const base = { type: role, uuid: crypto.randomUUID(), parentUuid: null, sessionId: SESSION };
        return `${JSON.stringify({ ...base, timestamp: new Date().toISOString(), cwd: project, message })}\n`;
      };
      const write = [
        { type: "tool_use", id: "t1", name: "Write", input: { file_path: "a.ts", content: "" } },
      ];
      writeFileSync(join(logs, `${SESSION}.jsonl`), line("user", "hello") + line("assistant", write));
      const entry = {
        pid,
        sessionId: SESSION,
        cwd: project,
        startedAt: Date.now() - 2_000,
        entrypoint: "cli",
      };
      mkdirSync(join(dir, "claude", "sessions"));
      writeFileSync(join(dir, "claude", "sessions", `${pid}.json`), JSON.stringify(entry));
      await catalog.list();
      await states.registryChanged().checked;
      await states.check(idOf(SESSION));
      expect(standing()).toBe("running, looked at");
      for (let looks = 0; looks < 200 && standing() === "running, looked at"; looks++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        states.lookAtShells();
      }
      expect(standing()).toBe("waiting, looked at");
    },
  );
});
