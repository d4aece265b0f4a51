import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { faultCode, isMissing } from "@/lib/server/disk/file-fault";
import { replaceFile } from "@/lib/server/disk/replace-file";
import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionId } from "@/lib/wire/ids";

const StoredShape = z.object({
  id: z.string(),
  sessionId: z.string().transform((id) => id as SessionId),
  tokenHash: z.string(),
  redact: z.boolean(),
  comments: z.boolean().default(false),
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

/** The shares, kept for the next server; without a data folder they end with this one. */
export class ShareFile {
  readonly #path: string | null;
  #saved: Promise<void> = Promise.resolve();

  constructor(dataDir: string | null) {
    this.#path = dataDir === null ? null : join(/*turbopackIgnore: true*/ dataDir, FILE_NAME);
  }

  /** The stored shares. Unreadable ones are lost, which is logged to the console. */
  async read(): Promise<ShareRecord[]> {
    if (this.#path === null) return [];
    try {
      const stored: unknown = JSON.parse(await readFile(/*turbopackIgnore: true*/ this.#path, "utf8"));
      return z.array(StoredShape).parse(stored);
    } catch (error) {
      if (!isMissing(error)) console.error("The links that were shared are lost:", error);
      return [];
    }
  }

  /** One write after the other, so that the last one has the latest state. Rejects with `share-unwritable`. */
  save(shares: () => ShareRecord[]): Promise<void> {
    this.#saved = this.#saved.catch(() => undefined).then(() => this.#write(shares()));
    return this.#saved;
  }

  async #write(shares: ShareRecord[]): Promise<void> {
    if (this.#path === null) return;
    try {
      await replaceFile(this.#path, JSON.stringify(shares));
    } catch (error) {
      throw faultCode(error) === null ? error : unsaved(error);
    }
  }
}

function unsaved(cause: unknown): ViewerError {
  return new ViewerError(
    "share-unwritable",
    "Which links there are cannot be written down, so one that was taken back opens again after a restart",
    {
      status: 409,
      hint: "Check the room in the data folder, and who may write it. The next link that is made or taken back writes it down.",
      cause,
    },
  );
}
