import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { undoneWhenInterrupted } from "../cli/interrupted.mjs";

/** The root folder of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A step of a task failed; `output` is what it printed. */
export class StepFailure extends Error {
  /** @override */
  name = "StepFailure";

  /**
   * @param {string} message
   * @param {string} output
   */
  constructor(message, output) {
    super(message);
    this.output = output;
  }
}

/** What has a program of Node end with this one. */
const WITH_PARENT = ["--import", new URL("with-parent.mjs", import.meta.url).href];

/**
 * Runs a program and resolves to its output. It does not outlive this one, unless it is none of Node and that is killed
 * outright.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Readonly<Record<string, string | undefined>>} [env] added to this process's
 * @param {string} [cwd] the repository unless given
 * @returns {Promise<string>}
 * @throws {StepFailure} when its exit code is not 0
 */
export function run(program, args, env = {}, cwd = ROOT) {
  const child = spawn(program, program === process.execPath ? [...WITH_PARENT, ...args] : args, {
    cwd,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1", FORCE_COLOR: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  /** @type {Promise<string>} */
  const ended = new Promise((resolve, reject) => {
    child.on("error", (cause) => reject(new StepFailure(`${program}: ${cause.message}`, output)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new StepFailure(`${program} ended with ${signal ?? code}`, output));
    });
  });
  return undoneWhenInterrupted(
    (signal) => void child.kill(signal),
    () => ended,
  );
}

/**
 * Runs the command of an installed package, with what it prints shown as it comes.
 *
 * @param {string} script path under node_modules
 * @param {string[]} args
 * @param {Readonly<Record<string, string | undefined>>} [env] added to this process's
 * @returns {Promise<void>}
 * @throws {StepFailure} when its exit code is not 0
 */
export function showTool(script, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`node_modules/${script}`, ...args], {
      cwd: ROOT,
      stdio: "inherit",
      env: { ...process.env, ...env },
    });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new StepFailure(`${script} ended with ${signal ?? code}`, ""));
    });
  });
}

/**
 * Runs the command of an installed package with the Node that runs this task.
 *
 * @param {string} script path under node_modules
 * @param {string[]} args
 * @param {Readonly<Record<string, string | undefined>>} [env]
 */
export const runTool = (script, args, env) => run(process.execPath, [`node_modules/${script}`, ...args], env);

/**
 * Runs npm with the Node that runs this task, and resolves to its output.
 *
 * @param {string[]} args
 * @param {string} [cwd] the repository unless given
 * @throws {StepFailure} when its exit code is not 0, or there is no npm
 */
export async function runNpm(args, cwd) {
  const script = findNpm();
  const [program, ...before] =
    script !== null
      ? /** @type {const} */ ([process.execPath, script])
      : process.platform === "win32"
        ? /** @type {const} */ (["cmd.exe", "/d", "/s", "/c", "npm"])
        : /** @type {const} */ (["npm"]);
  try {
    return await run(program, [...before, ...args], {}, cwd);
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    throw new StepFailure(`npm ${args[0]} failed`, cause.output || cause.message);
  }
}

/**
 * The path of npm's script: the one that runs this task, else the one installed with this Node; `null` if it is
 * elsewhere. On Windows the command `npm` is a shell script, which splits arguments at spaces.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {string} node path of the executable
 * @param {(path: string) => boolean} isThere
 * @returns {string | null}
 */
export function findNpm(env = process.env, node = process.execPath, isThere = existsSync) {
  const running = env.npm_execpath ?? "";
  const folder = dirname(node);
  const besides = ["node_modules", "../lib/node_modules", "../share/nodejs"].map((modules) =>
    join(folder, modules, "npm", "bin", "npm-cli.js"),
  );
  const candidates = [...(basename(running) === "npm-cli.js" ? [running] : []), ...besides];
  return candidates.find(isThere) ?? null;
}

/**
 * Runs a step and reports it in one line on stderr. Resolves to the step's result.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
export async function step(name, work) {
  const startedAt = performance.now();
  const result = await work();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(`✓ ${name} (${seconds} s)\n`);
  return result;
}

/**
 * Runs a task as a program: the first step that fails ends it with that step's output and exit code 1.
 *
 * @param {() => Promise<unknown>} task
 */
export async function asProgram(task) {
  try {
    await task();
  } catch (cause) {
    if (!(cause instanceof StepFailure)) throw cause;
    process.stderr.write(`${cause.output.trimEnd()}\n✗ ${cause.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * Whether a module is the program that Node was started with, rather than imported by one.
 *
 * @param {string} moduleUrl its `import.meta.url`
 */
export function isProgram(moduleUrl) {
  const script = process.argv[1];
  return script !== undefined && pathToFileURL(realpathSync(script)).href === moduleUrl;
}
