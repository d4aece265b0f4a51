import { readdirSync, readlinkSync } from "node:fs";
import { faultCode } from "@/lib/server/disk/file-fault";
import { PROC, readProcess } from "./processes";

/** How Linux writes that a connection is being made, or stands. */
const OPEN_STATES: ReadonlySet<string> = new Set(["01", "02"]);

/**
 * Whether a process has a connection to anywhere, as a client has while its model answers: one that it breaks off is closed
 * at once. `null` where the system does not tell.
 */
export function isConnected(pid: number, proc = PROC): boolean | null {
  const sockets = socketsOf(pid, proc);
  if (sockets === null || sockets.size === 0) return sockets && false;
  const tables = ["net/tcp", "net/tcp6"].map((name) => readProcess(pid, name, proc));
  // A system without IPv6 has one table.
  if (tables[0] === null) return null;
  return tables.some((table) => table !== null && openSockets(table).some((one) => sockets.has(one)));
}

/** The numbers of its sockets. */
function socketsOf(pid: number, proc: string): ReadonlySet<string> | null {
  const folder = `${proc}/${pid}/fd`;
  try {
    const links = readdirSync(folder).map((name) => linkOf(`${folder}/${name}`));
    return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return null;
  }
}

/** Where a descriptor leads, nowhere where it was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (faultCode(error) === null) throw error;
    return "";
  }
}

/** Of one of the system's tables: a line's state is its fourth field, the socket's number its tenth. */
function openSockets(table: string): string[] {
  return table.split("\n").flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    return OPEN_STATES.has(fields[3] ?? "") ? (fields[9] ?? []) : [];
  });
}
