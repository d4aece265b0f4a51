import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { onPlatform } from "@/lib/testing/on-platform";
import { ClientShells, commandIn, SHELL_NEWS_MS } from "./client-shells";

/** As 2.1.332 calls its shell. */
const scriptOf = (word: string) =>
  `source /home/dev/.claude/shell-snapshots/snapshot-bash-1795849769043-qrm6xi.sh 2>/dev/null || true && ` +
  `\\builtin shopt -u extglob 2>/dev/null || true && eval ${word} < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd`;

describe("the command that a client has its shell run", () => {
  it.each([
    ["'npm test'", "npm test"],
    [`'echo '"'"'a b'"'"' c'`, "echo 'a b' c"],
    [String.raw`'echo '\''a b'\'' c'`, "echo 'a b' c"],
    [String.raw`"echo 'a' \"\$HOME\" \n"`, String.raw`echo 'a' "$HOME" \n`],
    ["'for i in 1 2; do\n  echo $i\ndone'", "for i in 1 2; do\n  echo $i\ndone"],
    ["ls", "ls"],
    [String.raw`a\ b`, "a b"],
    ["'not closed", "not closed < /dev/null && pwd -P >| /tmp/claude-1a2b-cwd"],
  ])("%s is %s", (word, command) => {
    expect(commandIn(["/bin/bash", "-c", scriptOf(word), ""])).toBe(command);
  });

  it("is the same where the shell is one of a login (2.0.76, 2.1.42)", () => {
    const script = scriptOf("'npm test'").replace("\\builtin shopt -u extglob", "shopt -u extglob");
    expect(commandIn(["/bin/bash", "-c", "-l", script, ""])).toBe("npm test");
  });

  it("is none of hooks, status lines, servers, and the client's own questions", () => {
    for (const args of [
      ["/bin/sh", "-c", "npm test"],
      ["/bin/bash", "-c", "-l", "SNAPSHOT_FILE=/home/dev/.claude/shell-snapshots/snapshot-bash-1-a.sh"],
      ["/usr/bin/git", "-c", "core.askPass=", "status"],
      ["claude", "--session-id", "1", ""],
      ["/bin/sh", "-c", "eval 'npm test' && pwd -P"],
      ["/bin/sh", "-c", "cd x && pwd -P >| /tmp/claude-1a2b-cwd"],
      ["node"],
      [""],
      [],
    ])
      expect(commandIn(args)).toBe(null);
  });
});

describe.runIf(process.platform === "linux")("the shells of a client", () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    // With what it has started.
    for (const { pid, exitCode, signalCode } of children.splice(0))
      if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
  });

  /** A child of this process, which is the client here. Its shell replaces itself by `sleep`, unless more follows. */
  async function run(script: string): Promise<ChildProcess> {
    const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
    children.push(child);
    // Its arguments are its own from here on.
    await once(child.stdout as NodeJS.ReadableStream, "data");
    return child;
  }

  const sleeping = scriptOf("'echo up; sleep 30'").replace(/^.*?eval/s, "true && eval");
  const me = new Set([process.pid]);
  const told = (shells: ClientShells) =>
    shells
      .of(process.pid)
      .map(({ command, endedAtMs }) => (endedAtMs === null ? command : `${command}, over`));

  it("are told as they begin and end, and for a moment after that", async () => {
    const shells = new ClientShells();
    const hook = await run("echo up; sleep 30; true");
    expect(shells.look(me, 1_000).size).toBe(0);
    const child = await run(sleeping);
    expect(shells.look(me, 2_000)).toEqual(me);
    expect(shells.of(process.pid)).toEqual([
      { command: "echo up; sleep 30", seenAtMs: 2_000, afterMs: 1_000, endedAtMs: null },
    ]);
    expect(shells.look(me, 2_025).size).toBe(0);
    // What it is said to be doing is looked at again when this is news no longer.
    expect(shells.look(me, 2_000 + SHELL_NEWS_MS)).toEqual(me);
    expect(shells.look(me, 2_025 + SHELL_NEWS_MS).size).toBe(0);
    const ended = once(child, "exit");
    process.kill(-(child.pid as number), "SIGKILL");
    await ended;
    expect(shells.look(me, 5_000)).toEqual(me);
    expect(told(shells)).toEqual(["echo up; sleep 30, over"]);
    expect(shells.look(me, 5_025).size).toBe(0);
    expect(shells.look(me, 5_000 + SHELL_NEWS_MS)).toEqual(me);
    expect(told(shells)).toEqual([]);
    expect(hook.exitCode).toBe(null);
  });

  it("may be of any age when a client is looked at first, and are forgotten with it", async () => {
    const shells = new ClientShells();
    await run(sleeping);
    expect(shells.look(me, 1_000)).toEqual(me);
    expect(shells.of(process.pid)[0]?.afterMs).toBe(null);
    expect(shells.look(new Set(), 1_025).size).toBe(0);
    expect(told(shells)).toEqual([]);
    expect(shells.of(null)).toEqual([]);
  });

  it("are not known of one that has ended, nor on another system", async () => {
    const shells = new ClientShells();
    await run(sleeping);
    expect(shells.look(new Set([4_194_303])).size).toBe(0);
    onPlatform("darwin");
    expect(shells.look(me).size).toBe(0);
    expect(told(shells)).toEqual([]);
  });
});
