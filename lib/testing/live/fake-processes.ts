import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type FakeProcess = {
  comm?: string;
  argv?: string[];
  cwd?: string | null;
  terminal?: boolean;
  startTicks?: number;
};

/** A folder that tells of processes as Linux does. Whoever made it calls `remove`, or has it with `using`. */
export class FakeProcesses {
  readonly folder = mkdtempSync(join(tmpdir(), "backscroll-proc-"));

  /** One more process, a client in a terminal unless told otherwise. `cwd`: `null` where it may not be looked at. */
  add(pid: number, of: FakeProcess = {}): void {
    const { comm = "claude", argv = [comm], cwd = "/home/dev/shop", terminal = true } = of;
    mkdirSync(join(this.folder, String(pid), "fd"), { recursive: true });
    this.#write(pid, "comm", `${comm}\n`);
    this.#write(pid, "cmdline", `${argv.join("\0")}\0`);
    if (cwd !== null) symlinkSync(cwd, join(this.folder, String(pid), "cwd"));
    symlinkSync(terminal ? "/dev/pts/3" : "pipe:[1]", join(this.folder, String(pid), "fd", "1"));
    this.setState(pid, "S", of.startTicks);
    this.setIo(pid, { written: 0, writes: 0, read: 0 });
  }

  setState(pid: number, state: string, startTicks = 1_000): void {
    const fields = Array.from({ length: 18 }, () => "0").join(" ");
    this.#write(pid, "stat", `${pid} (some (odd) name) ${state} ${fields} ${startTicks} 0 0\n`);
  }

  setIo(pid: number, { written, writes, read }: { written: number; writes: number; read: number }): void {
    this.#write(pid, "io", `rchar: ${read}\nwchar: ${written}\nsyscr: 9\nsyscw: ${writes}\nread_bytes: 0\n`);
  }

  /** How often it fell asleep and was made to wait. Of one for which this is not called nothing is told of it. */
  setSwitches(pid: number, asleep: number, waiting = 0): void {
    const counts = `voluntary_ctxt_switches:\t${asleep}\nnonvoluntary_ctxt_switches:\t${waiting}\n`;
    this.#write(pid, "status", `Name:\tclaude\nThreads:\t11\n${counts}`);
  }

  /** The system's table of connections, as it tells a process. */
  setConnections(pid: number, table: string): void {
    mkdirSync(join(this.folder, String(pid), "net"), { recursive: true });
    this.#write(pid, "net/tcp", table);
  }

  /** The process opens a socket. */
  addSocket(pid: number, inode: number): void {
    symlinkSync(`socket:[${inode}]`, join(this.folder, String(pid), "fd", String(inode)));
  }

  /** When the system was started, in seconds since 1970, as its clock has it. */
  setBoot(atSeconds: number): void {
    writeFileSync(join(this.folder, "stat"), `cpu 0 0 0 0\nbtime ${atSeconds}\nprocesses 9\n`);
  }

  end(pid: number): void {
    rmSync(join(this.folder, String(pid)), { recursive: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    this.remove();
  }

  #write(pid: number, name: string, text: string): void {
    writeFileSync(join(this.folder, String(pid), name), text);
  }
}
