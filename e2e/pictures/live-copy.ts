import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A session of the copy that is at work: what it has written ends with the line that says `until`, a moment ago. */
export type AtWork = {
  until: string;
  status: "busy" | "waiting";
  /** In the client's words. */
  waitingFor?: string;
};

/** A copy of sample sessions in which some are at work. */
export type LiveCopy = {
  dir: string;
  /** Writes what the sessions' logs say next, each line when it is due, for this long. */
  play: (forMs: number) => Promise<void>;
  remove: () => void;
};

/** A log of a session at work: what it has, and what is still to come. Times are those of the copy. */
type Log = { path: string; rest: { atMs: number; line: string }[] };

/** Copies the samples, and moves the times of the sessions at work so that these end now. */
export function liveCopy(samples: string, atWork: readonly AtWork[]): LiveCopy {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-pictures-"));
  cpSync(samples, dir, { recursive: true });
  mkdirSync(join(dir, "sessions"), { recursive: true });
  const startedAtMs = Date.now();
  const logs = atWork.flatMap((one, index) => {
    const session = sessionThatSays(dir, one.until);
    register(dir, index, session, one);
    const cut = cutLogs(dir, session, one.until);
    // One that waits for a person writes nothing.
    return one.status === "waiting" ? [] : cut;
  });
  let lateMs: number | null = null;
  const play = async (forMs: number) => {
    // The sessions stood still until somebody looked.
    const by = (lateMs ??= Date.now() - startedAtMs);
    for (const end = Date.now() + forMs; Date.now() < end; await sleep(50)) {
      for (const { path, rest } of logs) {
        const due = rest.findIndex(({ atMs }) => atMs + by > Date.now());
        const lines = rest.splice(0, due === -1 ? rest.length : due);
        if (lines.length > 0)
          appendFileSync(path, lines.map(({ line }) => `${moveTimes(line, by)}\n`).join(""));
      }
    }
  };
  return { dir, play, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

const TIMESTAMP = /"timestamp":"([^"]+)"/;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

function sessionThatSays(dir: string, words: string): string {
  const path = logsIn(dir).find((one) => UUID.test(one) && readFileSync(one, "utf8").includes(words));
  const session = UUID.exec(path ?? "")?.[0];
  if (session === undefined) throw new Error(`No sample session says ${words}.`);
  return session;
}

const logsIn = (dir: string) =>
  readdirSync(join(dir, "projects"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(dir, "projects", name));

function cutLogs(dir: string, session: string, until: string): Log[] {
  const paths = logsIn(dir).filter((path) => path.includes(session));
  const logs = paths.map((path) => ({ path, lines: timedLines(path) }));
  const last = logs.flatMap(({ lines }) => lines).find(({ line }) => line.includes(until));
  if (!last) throw new Error(`No line of ${session} says ${until}.`);
  const cutMs = last.atMs + 200;
  const byMs = Date.now() - cutMs;
  return logs.flatMap(({ path, lines }) => {
    const moved = lines.map(({ atMs, line }) => ({ atMs: atMs + byMs, line: moveTimes(line, byMs) }));
    const kept = lines.filter(({ atMs }) => atMs <= cutMs).length;
    if (kept === 0) rmSync(path);
    else
      writeFileSync(
        path,
        moved
          .slice(0, kept)
          .map(({ line }) => `${line}\n`)
          .join(""),
      );
    return kept === 0 ? [] : [{ path, rest: moved.slice(kept) }];
  });
}

/** The lines of a log; one without a time has that of the line before it. */
function timedLines(path: string): { atMs: number; line: string }[] {
  let atMs = 0;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      atMs = Math.max(atMs, Date.parse(TIMESTAMP.exec(line)?.[1] ?? "") || 0);
      return { atMs, line };
    });
}

function moveTimes(line: string, byMs: number): string {
  return line.replaceAll(new RegExp(TIMESTAMP, "g"), (_, time: string) => {
    return `"timestamp":"${new Date(Date.parse(time) + byMs).toISOString()}"`;
  });
}

/** Registers this process as the client of the session. */
function register(dir: string, index: number, session: string, { status, waitingFor }: AtWork): void {
  const stat = process.platform === "linux" ? readFileSync("/proc/self/stat", "latin1") : "";
  const entry = {
    pid: process.pid,
    sessionId: session,
    startedAt: Math.round(Date.now() - process.uptime() * 1_000),
    procStart: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19],
    kind: "interactive",
    entrypoint: "cli",
    status,
    statusUpdatedAt: Date.now(),
    waitingFor,
  };
  writeFileSync(join(dir, "sessions", `${process.pid + index}.json`), JSON.stringify(entry));
}
