import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "@/lib/format/json-values";
import { asNumber, asObject, asString } from "@/lib/log/records/json";
import { faultCode } from "@/lib/server/disk/file-fault";
import { replaceFile } from "@/lib/server/disk/replace-file";
import { pidNamespace } from "@/lib/server/runtime/pid-namespace";
import type { SessionId } from "@/lib/wire/ids";
import { readProcess } from "./processes";

/** A client that was seen writing a log: how much it had written in all when the log was that long. */
export type KeptWriter = {
  pid: number;
  startTicks: string;
  slug: string;
  readTo: number;
  bytesWritten: number;
};

/** What a run of the server knew of the clients that register nothing, and when. */
export type KeptWriters = { atMs: number; writers: ReadonlyMap<SessionId, KeptWriter> };

const NAME = "log-writers.json";
const NONE: KeptWriters = { atMs: 0, writers: new Map() };

/** What an earlier run knew, nothing where that cannot be read or is of other processes: those before the system's start. */
export async function readKeptWriters(dataDir: string | null): Promise<KeptWriters> {
  const system = thisSystem();
  if (dataDir === null || system === null) return NONE;
  try {
    const kept = asObject(parseJson(await readFile(join(/*turbopackIgnore: true*/ dataDir, NAME), "utf8")));
    if (kept?.system !== system) return NONE;
    const writers = new Map<SessionId, KeptWriter>();
    for (const [id, value] of Object.entries(asObject(kept.writers) ?? {})) {
      const writer = parseWriter(asObject(value));
      if (writer) writers.set(id as SessionId, writer);
    }
    return { atMs: asNumber(kept.atMs) ?? 0, writers };
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return NONE;
  }
}

/** Keeps what is known for the next run, which without it knows a client when that writes next. Never rejects for what the system refuses. */
export async function writeKeptWriters(
  dataDir: string | null,
  writers: ReadonlyMap<SessionId, KeptWriter>,
): Promise<void> {
  const system = thisSystem();
  if (dataDir === null || system === null) return;
  const kept = { system, atMs: Date.now(), writers: Object.fromEntries(writers) };
  try {
    await replaceFile(join(dataDir, NAME), JSON.stringify(kept));
  } catch (error) {
    if (faultCode(error) === null) throw error;
  }
}

/** Of which processes the pids are; `null` on other systems. */
function thisSystem(): string | null {
  const boot = readProcess("sys", "kernel/random/boot_id")?.trim();
  return boot ? `${boot} ${pidNamespace()}` : null;
}

function parseWriter(json: ReturnType<typeof asObject>): KeptWriter | null {
  const pid = asNumber(json?.pid);
  const startTicks = asString(json?.startTicks);
  const slug = asString(json?.slug);
  const readTo = asNumber(json?.readTo);
  const bytesWritten = asNumber(json?.bytesWritten);
  if (pid === null || startTicks === null || slug === null || readTo === null || bytesWritten === null)
    return null;
  return { pid, startTicks, slug, readTo, bytesWritten };
}
