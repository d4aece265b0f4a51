/** Says that this start is the second one, so that there is no third. */
const DONE = "BACKSCROLL_LEAN";

/**
 * glibc gives each thread an arena of its own, and keeps up to 64 MB at the end of each of what was freed: after
 * 1 GB of logs have been read that is 100 MB which nobody uses. With one arena, from which what is freed goes back in
 * steps of 1 MB, there is none.
 */
const MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: String(1 << 20) };

/**
 * Newer versions of V8 let what is just made take 134 MB before they look at it, where 34, as in Node 20, take no more
 * time. What the user has set comes later, and so before it.
 */
const YOUNG = "--max-semi-space-size=16";

/**
 * Starts the program anew in this process, where the system's allocator reads its settings at the start alone, as V8
 * does: on Linux, where this Node can (22.15 and later). Returns where that was done before, is not possible, or where the
 * user has settings of their own; the programs that Backscroll starts get none of these.
 *
 * @param {Record<string, string | undefined>} env changed: what was set for this start is taken out
 * @param {Pick<NodeJS.Process, "platform" | "execPath" | "execArgv" | "argv"> & { execve?: (file: string, args: string[], env: Record<string, string | undefined>) => void }} program
 */
export function restartLean(env, program = process) {
  if (env[DONE] !== undefined) {
    for (const name of [DONE, ...Object.keys(MALLOC)]) delete env[name];
    return;
  }
  const hasOwn = Object.keys(env).some((name) => /^(MALLOC_|GLIBC_)/.test(name));
  if (program.platform !== "linux" || !program.execve || hasOwn) return;
  const young = /semi.space/.test(env.NODE_OPTIONS ?? "") ? [] : [YOUNG];
  const args = [program.execPath, ...young, ...program.execArgv, ...program.argv.slice(1)];
  program.execve(program.execPath, args, { ...env, ...MALLOC, [DONE]: "1" });
}
