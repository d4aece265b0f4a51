import { setFlagsFromString } from "node:v8";

/** Says that this start is the second one, so that there is no third. */
const DONE = "BACKSCROLL_LEAN";

/**
 * glibc gives each thread an arena of its own, and keeps up to 64 MB at the end of each of what was freed: after
 * 1 GB of logs have been read that is 100 MB which nobody uses. With one arena, from which what is freed goes back in
 * steps of 1 MB, there is none.
 */
const MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: String(1 << 20) };

/**
 * From Node 24 on V8 lets what is just made take 134 MB before it looks at it, where 34, as in older ones, take no more
 * time. It also counts more than what a thread's own `resourceLimits` say: Node 22, which has no need of it, then keeps
 * what it packed with for so long that the archive's thread takes 300 MB more. What the user has set comes later, and so
 * before it.
 */
const YOUNG = "--max-semi-space-size=16";
const NEEDS_YOUNG_FROM = 24;

/**
 * Starts the program anew in this process, where the system's allocator reads its settings at the start alone, as V8
 * does: on Linux, where this Node can (22.15 and later). Returns where that was done before, is not possible, or where the
 * user has settings of their own; the programs that Backscroll starts get none of these.
 *
 * @param {Record<string, string | undefined>} env changed: what was set for this start is taken out
 * @param {Pick<NodeJS.Process, "platform" | "versions" | "execPath" | "execArgv" | "argv"> & { execve?: (file: string, args: string[], env: Record<string, string | undefined>) => void }} program
 */
export function restartLean(env, program = process) {
  if (env[DONE] !== undefined) {
    for (const name of [DONE, ...Object.keys(MALLOC)]) delete env[name];
    return;
  }
  const hasOwn = Object.keys(env).some((name) => /^(MALLOC_|GLIBC_)/.test(name));
  if (program.platform !== "linux" || !program.execve || hasOwn) return;
  const needsYoung = Number.parseInt(program.versions.node, 10) >= NEEDS_YOUNG_FROM;
  const young = needsYoung && !/semi.space/.test(env.NODE_OPTIONS ?? "") ? [YOUNG] : [];
  const args = [program.execPath, ...young, ...program.execArgv, ...program.argv.slice(1)];
  program.execve(program.execPath, args, { ...env, ...MALLOC, [DONE]: "1" });
}

/** How much a heap may grow over what lives in it before it is cleaned up, in per cent. */
const GROWTH = 50;

/**
 * Keeps the memory of the server near what it needs. Reading and following files makes much that is soon
 * garbage, and left alone V8 lets a heap grow to four times what lives in it: under 10,000 lines a second some
 * 150 MB more, for a few per cent less work.
 */
export function limitHeapGrowth() {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
