import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { faultCode, isMissing, mayPass } from "@/lib/server/disk/file-fault";
import { replaceFile, setAside } from "@/lib/server/disk/replace-file";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";
import type { Warning } from "@/lib/wire/library";
import { LEFT_OUT } from "@/lib/wire/shares";

/** Strict: what a later version adds may be something that its guests do not get, so such a link opens there alone. */
const StoredShape = z.strictObject({
  id: z.string(),
  sessionId: z.string().transform((id) => id as SessionId),
  tokenHash: z.string(),
  redact: z.boolean(),
  comments: z.boolean().default(false),
  without: z.array(z.enum(LEFT_OUT)).default([]),
  /** Hashes of the secrets that are not replaced. */
  kept: z.array(z.string()),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  lastUsedAtMs: z.number().nullable(),
});

/** A share as it is stored: the file contains neither a token nor a secret. */
export type ShareRecord = z.output<typeof StoredShape>;

/** In the data folder. */
const FILE_NAME = "shares.json";
/**
 * The links that leave something out: a version that does not know of that reads the other file alone, and so can neither
 * open them whole nor write them again without it.
 */
const LIMITED_FILE_NAME = "shares-limited.json";
/** A fault that may pass, such as too many open files, is waited for this often and long. */
const MAX_TRIES = 5;
const RETRY_MS = 100;

/**
 * The shares, kept for the next server; without a data folder they end with this one. Another server of the same folder
 * may write there too: what it added stays, and what it took back ends here.
 */
export class ShareFile {
  readonly #whole: StoredShares | null;
  readonly #limited: StoredShares | null;
  #saved: Promise<string[]> = Promise.resolve([]);

  constructor(dataDir: string | null) {
    const storedIn = (name: string) =>
      dataDir === null ? null : new StoredShares(join(/*turbopackIgnore: true*/ dataDir, name));
    this.#whole = storedIn(FILE_NAME);
    this.#limited = storedIn(LIMITED_FILE_NAME);
  }

  /**
   * The stored shares that can be read. A file that cannot be read, or not all of it, is moved aside before the next
   * write would replace it, with a warning; one that cannot be read for now stays, and its shares do not open until the
   * next start. Those of a later version stay in the file, with a warning. Never rejects.
   */
  async read(): Promise<ReadShares> {
    const nothing: ReadShares = { shares: [], warning: null };
    const whole = (await this.#whole?.read()) ?? nothing;
    const limited = (await this.#limited?.read()) ?? nothing;
    return { shares: [...whole.shares, ...limited.shares], warning: whole.warning ?? limited.warning };
  }

  /**
   * One write after the other, so that the last one has the latest state. Resolves to the ids of those that another server
   * has taken back, which are not written again. Rejects with `share-unwritable`.
   */
  save(shares: () => ShareRecord[]): Promise<string[]> {
    this.#saved = this.#saved.catch(() => []).then(() => this.#write(shares()));
    return this.#saved;
  }

  async #write(own: readonly ShareRecord[]): Promise<string[]> {
    // First: one that an earlier version has put in the other file is at no moment in neither.
    const limited = (await this.#limited?.write(own.filter(isLimited))) ?? [];
    const whole = (await this.#whole?.write(own.filter((one) => !isLimited(one)))) ?? [];
    return [...limited, ...whole];
  }
}

const isLimited = ({ without }: ShareRecord) => without.length > 0;

type ReadShares = { shares: ShareRecord[]; warning: Warning | null };

/** One of the two files. */
class StoredShares {
  readonly #path: string;
  /** The shares of this server that the file had when it was last read or written. */
  #known = new Set<string>();

  constructor(path: string) {
    this.#path = path;
  }

  /** As `ShareFile` reads both. */
  async read(): Promise<ReadShares> {
    const read = await readSoon(this.#path);
    if (read === null) return { shares: [], warning: unreadWarning(this.#path) };
    if (read.isWhole) {
      this.#known = idsOf(read.shares);
      return { shares: read.shares, warning: read.newer.length > 0 ? newerWarning(this.#path) : null };
    }
    await setAside(this.#path);
    return { shares: read.shares, warning: damagedWarning(this.#path) };
  }

  /** As `ShareFile` saves both, when the write before has ended. */
  async write(own: readonly ShareRecord[]): Promise<string[]> {
    try {
      const { shares: stored, newer, isWhole, isThere } = await readStored(this.#path);
      if (!isThere && own.length === 0 && this.#known.size === 0) return [];
      if (!isWhole) await setAside(this.#path);
      const there = idsOf(stored);
      const known = isThere && isWhole ? this.#known : new Set<string>();
      const isEnded = ({ id }: ShareRecord) => known.has(id) && !there.has(id);
      const kept = own.filter((one) => !isEnded(one));
      const ours = idsOf(own);
      const others = stored.filter(({ id }) => !ours.has(id) && !this.#known.has(id));
      await replaceFile(this.#path, JSON.stringify([...kept, ...others, ...newer]));
      this.#known = idsOf(kept);
      return own.filter(isEnded).map(({ id }) => id);
    } catch (error) {
      throw faultCode(error) === null ? error : unsaved(error, this.#path);
    }
  }
}

function idsOf(shares: readonly ShareRecord[]): Set<string> {
  return new Set(shares.map(({ id }) => id));
}

/** The same, again after a fault that may pass in a moment; null where it does not, and for any other fault. */
async function readSoon(path: string): Promise<Stored | null> {
  for (let left = MAX_TRIES; left > 0; left--) {
    try {
      return await readStored(path);
    } catch (error) {
      if (faultCode(error) === null) throw error;
      if (!mayPass(error)) break;
      await sleep(RETRY_MS);
    }
  }
  return null;
}

const NewerShape = z.looseObject({ ...StoredShape.shape, without: z.array(z.string()).default([]) });

/** `newer` are those of a later version, as they are stored. */
type Stored = { shares: ShareRecord[]; newer: unknown[]; isWhole: boolean; isThere: boolean };

/**
 * What of a file can be read. One that is missing is whole, and not there. Rejects with the faults of which the file is
 * not the reason, such as a permission: what it says may be readable later.
 */
async function readStored(path: string): Promise<Stored> {
  try {
    const stored: unknown = JSON.parse(await readFile(/*turbopackIgnore: true*/ path, "utf8"));
    if (!Array.isArray(stored)) return { shares: [], newer: [], isWhole: false, isThere: true };
    const shares = stored.flatMap((one) => StoredShape.safeParse(one).data ?? []);
    const newer = stored.filter(
      (one) => !StoredShape.safeParse(one).success && NewerShape.safeParse(one).success,
    );
    return { shares, newer, isWhole: shares.length + newer.length === stored.length, isThere: true };
  } catch (error) {
    const nothing = { shares: [], newer: [] };
    if (isMissing(error)) return { ...nothing, isWhole: true, isThere: false };
    if (error instanceof SyntaxError || faultCode(error) === "EISDIR")
      return { ...nothing, isWhole: false, isThere: true };
    throw error;
  }
}

function unreadWarning(path: string): Warning {
  return {
    code: "shares-unreadable",
    message: "The list of shared links could not be read, so they do not open",
    hint: "Start Backscroll again: the file is still there. Check the disk, and how many files may be open (ulimit -n).",
    path,
  };
}

function newerWarning(path: string): Warning {
  return {
    code: "shares-newer",
    message: "A newer Backscroll made some of the shared links, which do not open here",
    hint: "They stay, and open there. Update this Backscroll to have it open them.",
    path,
  };
}

function damagedWarning(path: string): Warning {
  return {
    code: "shares-damaged",
    message: "The list of shared links was damaged, so some or all of them no longer open",
    hint: "Share those sessions again. The damaged file lies beside it.",
    path,
  };
}

function unsaved(cause: unknown, path: string): ViewerError {
  return new ViewerError(
    "share-unwritable",
    "The list of shared links cannot be saved, so one that was revoked opens again after a restart",
    {
      status: 409,
      hint: "Check the room in the data folder, and who may write it. Until this server ends, it is tried again and again.",
      path,
      cause,
    },
  );
}
