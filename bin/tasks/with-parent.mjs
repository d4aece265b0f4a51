import { isMainThread } from "node:worker_threads";

/*
 * Loaded first by what a task runs (`run.mjs`): ends it when the task is gone, which was killed outright and could end
 * nothing. What it forks is given the same and ends as well. On Windows a process keeps the number of its parent.
 */

const PARENT = process.ppid;
const POLL_MS = 250;

if (isMainThread) setInterval(() => process.ppid !== PARENT && process.exit(1), POLL_MS).unref();
