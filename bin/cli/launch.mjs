import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/**
 * How glibc's allocator hands memory out, which it reads when a process starts and at no other time. Left alone it
 * gives every thread a heap of its own, in which what other threads freed is not used, and after the first large
 * buffer it keeps buffers of up to 32 MB in these heaps, where each leaves a hole: under mixed requests the server
 * came to more than 600 MB, of which 75 MB were in use. With these settings one heap serves all threads, buffers of
 * 128 KiB and more are mapped each for itself and given back at once, and so is the free end of the heap.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

/** Tells the started process that it is the one, by the id of the process that started it. */
const MARK = "BACKSCROLL_LAUNCHED_BY";
const FORWARDED = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/** The process that somebody started, by whose id the server is known and stopped. */
let programPid = process.pid;

export function pidOfProgram() {
  return programPid;
}

/**
 * Starts this program again with the allocator's settings, where they have an effect: with glibc, unless the
 * environment has its own. Where Node can (22.15), the new program takes this process's place; before, it is a child
 * that gets this one's signals and ends with it, and whose exit this one passes on.
 *
 * @returns {Promise<boolean>} false where this process is the one to do the work; else it does not resolve
 */
export async function launchAgain() {
  if (isLaunched()) return false;
  if (!isWorthwhile()) return false;
  const env = { ...process.env, ...ALLOCATOR, [MARK]: String(process.pid) };
  const args = [...process.execArgv, ...process.argv.slice(1)];
  const { execve } =
    /** @type {{ execve?: (file: string, args: string[], env: NodeJS.ProcessEnv) => never }} */ (process);
  if (execve && existsSync(process.execPath)) execve(process.execPath, [process.execPath, ...args], env);
  return superviseChild(args, env);
}

/** Whether `launchAgain` started this process. Forgets the settings too: they are not for what it starts itself. */
function isLaunched() {
  const launcher = Number(process.env[MARK]);
  delete process.env[MARK];
  if (launcher !== process.pid && launcher !== process.ppid) return false;
  for (const name of Object.keys(ALLOCATOR)) delete process.env[name];
  programPid = launcher;
  // A launcher that was killed takes this process along, the same way.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel?.unref();
  return true;
}

/** True with glibc whose settings nobody has made, and without a debugger, which would stop in the wrong process. */
function isWorthwhile() {
  if (process.platform !== "linux") return false;
  if (Object.keys(process.env).some((name) => name.startsWith("MALLOC_") || name === "GLIBC_TUNABLES"))
    return false;
  if (process.execArgv.some((arg) => arg.startsWith("--inspect"))) return false;
  try {
    return /\/libc(?:-[\d.]+)?\.so/.test(readFileSync("/proc/self/maps", "latin1"));
  } catch {
    return false;
  }
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<boolean>} false where no process can be started
 */
function superviseChild(args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
    const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
    for (const signal of FORWARDED) process.on(signal, forward);
    const leave = () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.on("error", () => {
      leave();
      resolve(false);
    });
    child.on("exit", (code, signal) => {
      leave();
      if (signal) process.kill(process.pid, signal);
      process.exitCode = code ?? 1;
    });
  });
}
