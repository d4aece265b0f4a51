import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { asNumber, asObject, asString } from "@/lib/records/json";
import { faultCode } from "../catalog/file-fault";
import type { RootFolder } from "../config";

/** A running client as it registers itself in `sessions/<pid>.json` (2.1.110 and later, terminal UI only). */
export type RegistryEntry = {
  pid: number;
  /** The main log's UUID. */
  sessionUuid: string;
  startedAtMs: number | null;
  /** 2.1.330: start of the process in clock ticks, and the namespace that its pid is of. */
  procStart: string | null;
  pidDomain: string | null;
  /** 2.1.330; 2.1.110 does not tell. */
  status: "idle" | "busy" | "waiting" | null;
  statusSinceMs: number | null;
  waitingFor: string | null;
};

const LARGEST_BYTES = 64 << 10;

/** The registries of all configuration folders, by session UUID; the newest entry of a session counts. */
export async function readRegistry(roots: readonly RootFolder[]): Promise<Map<string, RegistryEntry>> {
  const found = new Map<string, RegistryEntry>();
  for (const root of roots) {
    if (root.kind !== "config") continue;
    const dir = registryFolder(root);
    for (const name of await namesIn(dir)) {
      const entry = await readEntry(join(/*turbopackIgnore: true*/ dir, name));
      const known = entry && found.get(entry.sessionUuid);
      if (entry && (known?.startedAtMs ?? 0) <= (entry.startedAtMs ?? 0)) found.set(entry.sessionUuid, entry);
    }
  }
  return found;
}

/** Where a configuration folder's clients register. */
function registryFolder(root: RootFolder): string {
  return join(/*turbopackIgnore: true*/ root.path, "sessions");
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return (await readdir(dir)).filter((name) => /^\d+\.json$/.test(name));
  } catch (error) {
    if (faultCode(error) !== null) return []; // versions before 2.1.110 have none
    throw error;
  }
}

/** `null` for an entry that is gone, torn or none: it is written in place, so a reader may see half. */
async function readEntry(path: string): Promise<RegistryEntry | null> {
  try {
    const text = await readFile(path, "utf8");
    return text.length > LARGEST_BYTES ? null : parseEntry(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || faultCode(error) !== null) return null;
    throw error;
  }
}

/** One registry file's content; fields are independent, and without pid or session it is none. */
export function parseEntry(json: unknown): RegistryEntry | null {
  const entry = asObject(json);
  const pid = asNumber(entry?.pid);
  const sessionUuid = asString(entry?.sessionId);
  if (!entry || pid === null || !Number.isSafeInteger(pid) || pid <= 0 || sessionUuid === null) return null;
  const status = asString(entry.status);
  return {
    pid,
    sessionUuid,
    startedAtMs: asNumber(entry.startedAt),
    procStart: asString(entry.procStart),
    pidDomain: asString(entry.pidDomain),
    status: status === "idle" || status === "busy" || status === "waiting" ? status : null,
    statusSinceMs: asNumber(entry.statusUpdatedAt) ?? asNumber(entry.updatedAt),
    waitingFor: asString(entry.waitingFor),
  };
}
