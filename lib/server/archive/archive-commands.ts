import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { isMissing } from "@/lib/server/disk/file-fault";
import { isSlugOf } from "@/lib/server/disk/folder-entries";
import { shellWord } from "@/lib/server/runtime/shell-words";
import { Archive, type Verified } from "./archive";
import { GROUPS_AT_ONCE, inGroups, workAtOnce } from "./at-once";
import { broughtTo, type Placed, type WhyStays } from "./brought-in";
import { chunkName, sha256 } from "./chunks";
import { KeptFileReader } from "./kept-file-reader";
import { type KeptSession, keptSessions, sessionNamedIn } from "./kept-sessions";
import { encodeManifest, fileHeadName, type KeptFile, manifestName } from "./manifest";
import { FolderStore } from "./store/folder-store";

/** After this time an unused object is not one that a server is about to use. */
const GRACE_MS = 120_000;
const DAY_MS = 86_400_000;

/**
 * Selects sessions: by the start of their id, by their project's working directory, by age. A session must match one of
 * each.
 */
export type Removal = { words: readonly string[]; olderThanDays: number | null };

/** What a removal deletes, one entry a session; `isGone`: it is nowhere else. */
export type RemovedSession = Pick<KeptSession, "bytes" | "lastWrittenAtMs" | "isGone"> & {
  id: string;
  project: string;
  files: number;
};

/**
 * `fresh`: how many of the files were not in the other archive, or not as they are; `moved`: how many are now at another
 * path than where they were kept; `leftOut`: what was damaged and is not whole in the other archive either, in words.
 */
type Copied = { files: number; bytes: number; fresh: number; moved: number; leftOut: string[] };

/**
 * Files of another folder than this machine's own that were kept at their paths, why, and their sessions' main logs.
 * `rootWord`: that folder as a word of a command for a terminal; another machine's may be called anything.
 */
export type StayedFiles = {
  root: string;
  rootWord: string;
  why: WhyStays;
  files: number;
  sessions: string[];
};

/**
 * The commands of `backscroll archive …`, for the command line, which is not compiled with this. Each works on an
 * archive's folder beside any servers that use it. All reject with `archive-damaged` and the system's errors.
 */
export type ArchiveCommands = {
  verify(folder: string, onProgress: (done: number, all: number) => void): Promise<Verified>;
  /** Adds everything in one archive to another, at the same paths. */
  copy(from: string, to: string): Promise<Copied>;
  /**
   * The same for an archive of another machine: files of its configuration folder are moved to `home`, this machine's
   * configuration folder, if there is one. `stayed` are those of another folder that were not.
   */
  bringIn(from: string, to: string, home: string | null): Promise<Copied & { stayed: StayedFiles[] }>;
  /** False for a folder with other things in it. True for one that is empty, or not there. */
  mayHold(folder: string): boolean;
  listRemoval(folder: string, what: Removal): Promise<RemovedSession[]>;
  /** Removes what `listRemoval` lists, and returns how many stored bytes were freed. */
  remove(folder: string, what: Removal): Promise<number>;
};

export const ARCHIVE_COMMANDS: ArchiveCommands = {
  verify: (folder, onProgress) => archiveIn(folder).verify(onProgress),
  async copy(from, to) {
    const { stays: _, ...copied } = await copyAll(from, to, (file) => file);
    return copied;
  },
  async bringIn(from, to, home) {
    const { placed, whyStays } = broughtTo(home, await archiveIn(to).files());
    const { stays, ...copied } = await copyAll(from, to, placed);
    const elsewhere = stays.filter(({ root }) => root !== home);
    return { ...copied, stayed: stayedOf(from, elsewhere, whyStays) };
  },
  mayHold(folder) {
    const names = namesIn(folder);
    const holds = names.includes("manifests") || names.includes("batches");
    return names.length === 0 || (names.includes("files") && holds);
  },
  async listRemoval(folder, what) {
    return (await chosenIn(folder, what)).map(({ place, project, files, bytes, lastWrittenAtMs, isGone }) => {
      const id = basename(place);
      return { id, project: project ?? "", files: files.length, bytes, lastWrittenAtMs, isGone };
    });
  },
  async remove(folder, what) {
    const archive = archiveIn(folder);
    const files = (await chosenIn(folder, what)).flatMap((session) => session.files);
    for (const file of new Set(files)) await archive.forget(file);
    await archive.announceChange();
    return (await archive.collect(GRACE_MS)).storedBytes;
  },
};

async function copyAll(from: string, to: string, placed: Placed): ReturnType<typeof copyArchive> {
  const target = archiveIn(to);
  const copied = await copyArchive(archiveIn(from), target, placed);
  if (copied.files > 0) await target.announceChange();
  return copied;
}

/** Files that have kept their paths, by their folders and reasons. */
function stayedOf(
  from: string,
  stays: readonly KeptFile[],
  whyStays: (file: KeptFile) => WhyStays | null,
): StayedFiles[] {
  const reader = new KeptFileReader(new FolderStore(from));
  const groups = new Map<string, { root: string; why: WhyStays; files: KeptFile[] }>();
  for (const file of stays) {
    const { root } = file;
    const why = whyStays(file);
    if (why === null) continue;
    const key = `${root}\n${why}`;
    const group = groups.get(key) ?? { root, why, files: [] };
    group.files.push(file);
    groups.set(key, group);
  }
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { root, why, files }]) => {
      const sessions = keptSessions(files, (file) => sessionNamedIn(reader, file));
      return {
        root,
        rootWord: shellWord(root),
        why,
        files: files.length,
        sessions: sessions.map(({ place }) => `${place}.jsonl`).sort(),
      };
    });
}

const KEY = Symbol.for("backscroll.archive");

/** Passes the commands to the command line. */
export function publishArchiveCommands(): void {
  (globalThis as { [KEY]?: ArchiveCommands })[KEY] = ARCHIVE_COMMANDS;
}

function archiveIn(folder: string): Archive {
  return new Archive(new FolderStore(folder));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function chosenIn(folder: string, what: Removal): Promise<KeptSession[]> {
  const reader = new KeptFileReader(new FolderStore(folder));
  const files = await archiveIn(folder).files();
  return chosen(
    keptSessions(files, (file) => sessionNamedIn(reader, file)),
    what,
  );
}

function chosen(sessions: readonly KeptSession[], { words, olderThanDays }: Removal): KeptSession[] {
  const olderThanMs = olderThanDays === null ? null : Date.now() - olderThanDays * DAY_MS;
  return sessions.filter(({ place, project, lastWrittenAtMs }) => {
    if (olderThanMs !== null && lastWrittenAtMs >= olderThanMs) return false;
    const isNamed = (word: string) => basename(place).startsWith(word) || isSlugOf(project ?? "", word);
    return words.some(isNamed) || (words.length === 0 && olderThanMs !== null);
  });
}

/**
 * Copies every file with its generations; the same path in both keeps all of them, the one last written on top. Rejects
 * with the stores' errors.
 * @returns `stays` are the files that have kept their paths
 */
export async function copyArchive(
  from: Archive,
  to: Archive,
  placed: Placed,
): Promise<Copied & { stays: KeptFile[] }> {
  const copied = { files: 0, bytes: 0, fresh: 0, moved: 0, stays: [] as KeptFile[] };
  /** Problems by the hashes of their manifests. */
  const damagedManifests = new Map<string, string>();
  const onDamaged = (hash: string, problem: string) => damagedManifests.set(hash, problem);
  const leftOut: string[] = [];
  const copyOne = async (file: KeptFile) => {
    const generations = await from.readableGenerations(file, onDamaged);
    const unnamed = to.unnamed();
    for (const hash of await copyObjects(from, to, generations))
      leftOut.push(`The chunk ${hash} is damaged or missing, of ${file.path}`);
    const { path } = placed(file);
    const isMoved = path !== file.path;
    const isFresh = await joinGenerations(to, path, isMoved ? generations.map(placed) : generations, isMoved);
    if (unnamed.mayBeGone()) await copyObjects(from, to, generations);
    if (isFresh) copied.fresh += 1;
    if (isMoved) copied.moved += 1;
    else copied.stays.push(file);
    copied.files += 1;
    copied.bytes += file.bytes;
  };
  const groups = inGroups(await from.files(onDamaged), ({ bytes }) => bytes);
  await workAtOnce(groups, (group) => workAtOnce(group, copyOne, group.length), GROUPS_AT_ONCE);
  for (const [hash, problem] of damagedManifests) if (!(await to.hasManifest(hash))) leftOut.push(problem);
  return { ...copied, leftOut: leftOut.sort() };
}

/**
 * Copies intact objects, also to replace damaged ones. Damaged objects are not copied: they would keep others with the
 * same bytes from storing them.
 * @returns the hashes of chunks that are whole in neither archive
 */
async function copyObjects(from: Archive, to: Archive, generations: readonly KeptFile[]): Promise<string[]> {
  const chunks = new Map(generations.flatMap((file) => file.chunks).map((chunk) => [chunk.hash, chunk]));
  const missing: string[] = [];
  for (const [hash, chunk] of chunks) {
    const stored = await from.storedChunk(chunk);
    if (!stored) {
      if (!(await to.storedChunk(chunk))) missing.push(hash);
    } else if (await isThere(to, chunkName(hash), stored)) {
      if (!(await to.storedChunk(chunk))) await to.replace(chunkName(hash), stored);
    }
  }
  for (const { hash } of generations) {
    const name = manifestName(hash);
    const bytes = await from.store.get(name);
    if (!bytes || !(await isThere(to, name, bytes))) continue;
    const there = await to.store.get(name);
    if (there === null || sha256(there) !== hash) await to.replace(name, bytes);
  }
  return missing;
}

/** Puts an object, unless there is one of this name. */
async function isThere({ store }: Archive, name: string, bytes: Uint8Array): Promise<boolean> {
  return !(await store.putIfAbsent(name, bytes, false));
}

/**
 * Adds generations of a file to those that an archive has of this path.
 * @param isMoved the files have other paths than the manifests that were copied, so they need new ones
 * @returns whether any of them was not there
 */
async function joinGenerations(
  to: Archive,
  path: string,
  added: readonly KeptFile[],
  isMoved: boolean,
): Promise<boolean> {
  for (;;) {
    const { hash: expected, file: known } = await to.headOf(path);
    const own = known ? await to.readableGenerations(known) : [];
    const others = added.filter((file) => !own.some((one) => isSameContent(one, file)));
    const [newest] = others;
    if (!newest) return false;
    const all = [...own, ...others].sort((a, b) => a.mtimeMs - b.mtimeMs);
    const isCopied = own.length === 0 && !isMoved;
    const unnamed = to.unnamed();
    const hash = isCopied ? (added[0]?.hash ?? "") : await putChain(to, all);
    if (!(await to.store.swapHead(fileHeadName(path), expected, hash))) continue;
    if (!isCopied && unnamed.mayBeGone()) await putChain(to, all);
    return true;
  }
}

function isSameContent(one: KeptFile, other: KeptFile): boolean {
  return one.bytes === other.bytes && one.chunks.every(({ hash }, at) => other.chunks[at]?.hash === hash);
}

/** Puts manifests of which each names the one before, and returns the last one's hash. */
async function putChain(to: Archive, oldestFirst: readonly KeptFile[]): Promise<string> {
  let earlier: string | null = null;
  for (const [generation, { hash: _, ...file }] of oldestFirst.entries()) {
    const { hash, bytes } = encodeManifest({ ...file, generation, earlier, parent: earlier });
    await to.store.putIfAbsent(manifestName(hash), bytes, false);
    earlier = hash;
  }
  return earlier ?? "";
}
