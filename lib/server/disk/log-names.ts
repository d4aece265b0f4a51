/** Why something is not read, or not as it should be, worded for a reader. */
export type Problem = { code: string; message: string; hint: string };

/** A file or folder that may contain records but is not read: the reason, and what to do about it. */
export type UnreadFile = { path: string; bytes: number | null } & Problem;

/** The kind of log that a file's name indicates: a log, a copy of one beside it, or a compressed one. */
export type LogName = "log" | "copy" | "packed";

const LOG = /\.jsonl$/i;
/** Suffixes that editors, tools and people append to backups: `.bak`, `.old`, `.1`, `~`. */
const KEPT = /\.jsonl(?:\.[\w-]+)*~?$/i;
const PACKED = /\.jsonl\.(?:gz|zst|xz|bz2|br|lz4|zip|7z|z)$/i;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for the name of a session of any client version: a bare UUID. */
export function isUuid(name: string): boolean {
  return UUID.test(name);
}

/** `name` without `.jsonl` and what follows it. */
export function stem(name: string): string {
  return name.replace(KEPT, "");
}

/**
 * The kind of a file by its name and its neighbours; `null` for one that is not a log. A log that was kept under
 * another
 * name (`x.jsonl.bak`) is read if `x.jsonl` is gone, otherwise it is a copy.
 */
export function logNameOf(name: string, neighbours: ReadonlySet<string>): LogName | null {
  if (LOG.test(name)) return "log";
  if (PACKED.test(name)) return "packed";
  if (!KEPT.test(name)) return null;
  return neighbours.has(`${stem(name)}.jsonl`) ? "copy" : "log";
}

const REASONS = {
  copy: [
    "A copy of the log beside it",
    "To read it as well, give it a name of its own that ends in .jsonl, or move that log away.",
  ],
  packed: ["A packed log", "Unpack it to read it."],
  "name-not-utf8": ["Its name is not valid UTF-8", "Rename it to read it."],
  "not-a-file": ["It has a log’s name and is no regular file", "A pipe, socket or device is never opened."],
  "is-a-folder": ["It has a log’s name and is a folder", "Logs in it are read all the same."],
  "link-dangles": ["A symbolic link that leads nowhere", "Its target was moved or deleted."],
  "link-loops": ["A symbolic link that leads back to itself or to a folder that holds it", "Remove it."],
  "link-leaves-root": [
    "A symbolic link leads out of the folder and is not followed",
    "Name its target when starting Backscroll to read it as well.",
  ],
  "notes-folder": [
    "It lies in memory/, where the client keeps notes, not logs",
    "To read it, move it into the project’s folder.",
  ],
} as const;

/** An entry that is not read, with its reason. `bytes` is `null` where it has no size. */
export function unread(code: keyof typeof REASONS, path: string, bytes: number | null): UnreadFile {
  const [message, hint] = REASONS[code];
  return { path, bytes, code, message, hint };
}
