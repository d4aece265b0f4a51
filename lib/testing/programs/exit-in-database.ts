import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { openDatabase } from "@/lib/server/index/load-sqlite";

// Exits while a thread of it writes to a database without a pause, after so many milliseconds of that; or, with `opening`,
// so long after the first of several threads begins to open one.
const OPENING_THREADS = 6;
const [path = "", afterMs = "0", opening] = process.argv.slice(2);
const exitSoon = () => setTimeout(() => process.exit(0), Number(afterMs));
if (isMainThread && opening) {
  for (let thread = 0; thread < OPENING_THREADS; thread++)
    new Worker(new URL(import.meta.url), { workerData: null }).once("message", exitSoon);
} else if (isMainThread) {
  const writer = new Worker(new URL(import.meta.url), { workerData: path });
  writer.once("message", exitSoon);
} else if (workerData === null) {
  parentPort?.postMessage("begins");
  openDatabase(":memory:").exec("CREATE TABLE written(id INTEGER PRIMARY KEY)");
} else {
  const database = openDatabase(workerData as string);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE written(id INTEGER PRIMARY KEY, text TEXT)");
  const insert = database.prepare("INSERT INTO written(text) VALUES (?)");
  parentPort?.postMessage("begun");
  for (let n = 0; ; n++) insert.run(`row ${n}`);
}
