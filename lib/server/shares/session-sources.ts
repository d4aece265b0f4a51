import { createHash } from "node:crypto";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { asObject } from "@/lib/log/records/json";
import { faultCode } from "@/lib/server/disk/file-fault";
import { isUuid } from "@/lib/server/disk/log-names";
import { readSmallText } from "@/lib/server/disk/open-file";
import { findOriginals } from "@/lib/server/extras/original-files";
import type { Catalog } from "@/lib/server/library/catalog";
import type { Surroundings } from "@/lib/server/library/session-files";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { CopySource } from "./copy-source";

/** The name of the file in which a running client registers itself. */
const REGISTRY_NAME = /^\d+\.json$/;
/** They take half a kilobyte. */
const MAX_ENTRY_BYTES = 64 << 10;

/** The files that are a session's own, as its copy has them. Null where it is gone. */
export async function sourcesOf(catalog: Catalog, id: SessionId): Promise<CopySource[] | null> {
  try {
    const files = await catalog.refresh(id);
    const around = catalog.surroundings(id);
    const keys = new Map([files.main, ...files.agents].map(({ path, key }) => [path, key]));
    const originals = await findOriginals(files, around);
    const sources = originals.map((file) => ({
      ...file,
      place: placeIn(file.place, around.stem, id),
      key: keys.get(file.path) ?? null,
    }));
    // Agents first: a call's row is drawn with what its agent did.
    sources.sort((a, b) => Number(a.key === files.main.key) - Number(b.key === files.main.key));
    return [...sources, ...(await registered(around))];
  } catch (error) {
    if (isViewerError(error) && error.code === "session-not-found") return null;
    throw error;
  }
}

/**
 * The path of a file in the copy. A log with any other name gets a UUID there: otherwise the session's id would depend
 * on the copy's folder, and a link would be broken once another server has made the copy again.
 */
function placeIn(place: string, stem: string, id: SessionId): string {
  if (isUuid(stem)) return place;
  const hash = createHash("sha256").update(id).digest("hex");
  const name = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    hash.slice(12, 16),
    hash.slice(16, 20),
    hash.slice(20, 32),
  ].join("-");
  return place
    .split("/")
    .map((part) => (part === stem ? name : part === `${stem}.jsonl` ? `${name}.jsonl` : part))
    .join("/");
}

/** The entries of running clients that name this session. */
async function registered({ configRoot, stem }: Surroundings): Promise<CopySource[]> {
  if (configRoot === null) return [];
  const folder = await realpath(join(/*turbopackIgnore: true*/ configRoot, "sessions")).catch(unlessFault);
  const names = folder === null ? null : await readdir(/*turbopackIgnore: true*/ folder).catch(unlessFault);
  if (folder === null || names === null) return [];
  return names
    .filter((name) => REGISTRY_NAME.test(name))
    .map((name) => ({ root: folder, path: join(folder, name), place: `sessions/${name}`, key: null }))
    .filter(({ path }) => sessionOf(path) === stem);
}

/** The session that an entry names; none for one that is being written, and for what is no file, such as a pipe. */
function sessionOf(path: string): unknown {
  try {
    return asObject(JSON.parse(readSmallText(path, MAX_ENTRY_BYTES) ?? "null"))?.sessionId;
  } catch (error) {
    return unlessFault(error);
  }
}

/** No entry, or one that is being written: the next look finds it. */
function unlessFault(error: unknown): null {
  if (error instanceof SyntaxError || faultCode(error) !== null) return null;
  throw error;
}
