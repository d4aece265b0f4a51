import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { openDatabase } from "@/lib/server/index/load-sqlite";

// Exits while a thread of it writes to a database without a pause, after so many milliseconds of that.
const [path = "", afterMs = "0"] = process.argv.slice(2);
if (isMainThread) {
  const writer = new Worker(new URL(import.meta.url), { workerData: path });
  writer.once("message", () => setTimeout(() => process.exit(0), Number(afterMs)));
} else {
  const database = openDatabase(workerData as string);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE written(id INTEGER PRIMARY KEY, text TEXT)");
  const insert = database.prepare("INSERT INTO written(text) VALUES (?)");
  parentPort?.postMessage("begun");
  for (let n = 0; ; n++) insert.run(`row ${n}`);
}
