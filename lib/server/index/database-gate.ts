import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

/** How long an exit waits for threads that are inside SQLite. */
const MAX_WAIT_MS = 2_000;

const KEY = "backscroll:database-gate";

/** Cells of the memory that all threads share: how many threads are inside SQLite, and whether it is closed to them. */
const INSIDE = 0;
const CLOSED = 1;

const cells = sharedCells();

/**
 * Does one step in a database. A process that exits ends its threads wherever they are, and a thread that is ended
 * inside the SQLite of a package (Node before 22.13) crashes the whole process: "terminate called after throwing an
 * instance of 'Napi::Error'", signal 6. So an exit waits for such steps, and a thread that starts one later waits until
 * it is ended.
 */
export function inDatabase<T>(step: () => T): T {
  Atomics.add(cells, INSIDE, 1);
  while (!isMainThread && Atomics.load(cells, CLOSED) === 1) {
    leave();
    Atomics.wait(cells, CLOSED, 1);
    Atomics.add(cells, INSIDE, 1);
  }
  try {
    return step();
  } finally {
    leave();
  }
}

function leave(): void {
  if (Atomics.sub(cells, INSIDE, 1) === 1) Atomics.notify(cells, INSIDE);
}

/** Keeps every other thread out of SQLite, and returns when none is inside any more, or after `MAX_WAIT_MS`. */
function closeDatabases(): void {
  Atomics.store(cells, CLOSED, 1);
  const endsAtMs = performance.now() + MAX_WAIT_MS;
  for (let inside = Atomics.load(cells, INSIDE); inside > 0; inside = Atomics.load(cells, INSIDE)) {
    const leftMs = endsAtMs - performance.now();
    if (leftMs <= 0) return;
    Atomics.wait(cells, INSIDE, inside, leftMs);
  }
}

/** Threads get the memory of the one that started them. */
function sharedCells(): Int32Array {
  const known = getEnvironmentData(KEY);
  if (known instanceof SharedArrayBuffer) return new Int32Array(known);
  const memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData(KEY, memory);
  // Runs before the threads are ended.
  if (isMainThread) process.once("exit", closeDatabases);
  return new Int32Array(memory);
}
