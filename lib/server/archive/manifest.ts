// All names by one: of `{ z }` a thread would hold the whole of zod, with its languages.
import * as z from "zod";
import type { FileStats } from "@/lib/server/disk/kept-files";
import { damaged, sha256 } from "./chunks";

const HASH = /^[0-9a-f]{64}$/;
const Hash = z.string().regex(HASH);
const Count = z.number().int().nonnegative();
/** Longer than any that is written: a damaged or foreign archive must not ask for all memory. */
const MAX_READ_CHUNK_BYTES = 64 * 1024 * 1024;

const ManifestShape = z.object({
  version: z.literal(1),
  /** The file's path, and the folder of logs in which it was found; real paths. */
  path: z.string().min(1),
  root: z.string().min(1),
  /** A `log` is kept line by line; any other `file` as a whole. */
  kind: z.enum(["log", "file"]),
  /** Counts how often the file was cut or replaced. */
  generation: Count,
  /** The manifest that this one replaces. */
  parent: Hash.nullable(),
  /** The last manifest of the generation before, which names the one before that. */
  earlier: Hash.nullable(),
  /** The same file's path before it was moved. */
  movedFrom: z.array(z.string()),
  bytes: Count,
  dev: z.number(),
  ino: z.number(),
  mtimeMs: z.number(),
  mode: Count,
  /** Hashes of the first and the last KiB of what is kept, or of less where it is less. */
  head: Hash,
  tail: Hash,
  chunks: z.array(
    z.object({ hash: Hash, at: Count, bytes: z.number().int().positive().max(MAX_READ_CHUNK_BYTES) }),
  ),
  keptAtMs: z.number(),
});

/** What is known of one kept file: its path, its stats, and the chunks that make up its bytes. */
export type Manifest = z.infer<typeof ManifestShape>;

/** A manifest and the hash that names it. */
export type KeptFile = Manifest & { hash: string };

/** How many bytes of a file's beginning and of its kept end show whether it is still the same. */
export const MARK_BYTES = 1024;

/** A file's stats when it was kept, with the length of the kept part. */
export function statsOf({ dev, ino, bytes, mtimeMs }: Manifest): FileStats {
  return { dev, ino, size: bytes, mtimeMs };
}

/** The head that names the newest manifest of the file at a path. */
export function fileHeadName(path: string): string {
  return `files/${sha256(path)}`;
}

/** The name of the manifest with this hash in an `ObjectStore`. Throws `archive-damaged` for what is no hash. */
export function manifestName(hash: string): string {
  // A damaged head, or one of another hand, may say anything, such as a path that leads elsewhere.
  if (!HASH.test(hash)) throw damaged("Its head names no manifest");
  return `manifests/${hash}`;
}

/** A manifest as it is stored, and the hash that names it. */
export function encodeManifest(manifest: Manifest): { hash: string; bytes: Uint8Array } {
  const bytes = Buffer.from(JSON.stringify(manifest));
  return { hash: sha256(bytes), bytes };
}

/** Reads a manifest and checks its hash. Throws `archive-damaged`. */
export function decodeManifest(hash: string, bytes: Uint8Array | null): KeptFile {
  if (bytes === null) throw damaged(`The manifest ${hash} is missing`);
  if (sha256(bytes) !== hash) throw damaged(`The manifest ${hash} is damaged`);
  const manifest = ManifestShape.safeParse(parseManifest(hash, bytes));
  if (!manifest.success) throw damaged(`The manifest ${hash} is of another version`);
  if (!isPlain(manifest.data.path) || !isPlain(manifest.data.root))
    throw damaged(`The manifest ${hash} names no real path`);
  if (!isGapless(manifest.data)) throw damaged(`The manifest ${hash} leaves bytes out`);
  return { ...manifest.data, hash };
}

/** An archive of another hand may hold anything under a name that is right. */
function parseManifest(hash: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw damaged(`The manifest ${hash} is not valid JSON`);
  }
}

/** Real paths have no part that leads elsewhere. */
function isPlain(path: string): boolean {
  const parts = path.split(path.startsWith("/") ? "/" : /[\\/]/);
  return !path.includes("\0") && !parts.includes("..") && !parts.includes(".");
}

function isGapless({ chunks, bytes }: Manifest): boolean {
  let at = 0;
  for (const chunk of chunks) {
    if (chunk.at !== at) return false;
    at += chunk.bytes;
  }
  return at === bytes;
}
