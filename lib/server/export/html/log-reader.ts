import { parseJson } from "@/lib/format/json-values";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import type { SessionQueries } from "@/lib/server/session/sessions";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { CallDetail } from "@/lib/wire/record";
import type { BlobRef, CutText, RowsResponse } from "@/lib/wire/rows";
import type { OrScanning } from "@/lib/wire/session";
import { wholeTextOf } from "./whole-text";

const SHOWN_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_IMAGE_BYTES = 4 << 20;
/** The size of all images of an export: a file that is sent should not be hundreds of megabytes. */
const MAX_IMAGES_BYTES = 32 << 20;
const MAX_OUTPUT_BYTES = 2 << 20;
/** A longer line is not read for a text in it. */
const MAX_LINE_BYTES = 64 << 20;

/** What an export needs from the log beyond its rows. Whatever cannot be read any more is `null`, never an error. */
export class LogReader {
  readonly #sessions: SessionQueries;
  readonly #id: SessionId;
  /** Without images, each is replaced by its name. */
  readonly #withImages: boolean;
  #imageBytes = 0;

  constructor(sessions: SessionQueries, id: SessionId, withImages = true) {
    this.#sessions = sessions;
    this.#id = id;
    this.#withImages = withImages;
  }

  /** A call as a page opens it. */
  call(recordId: RecordId, block: number): Promise<CallDetail | null> {
    return unlessGone(async () => settled(() => this.#sessions.call(this.#id, recordId, block)));
  }

  /** The whole text, or as much as the row has. */
  async whole(recordId: RecordId, text: CutText): Promise<string> {
    return (await this.wholeIn([recordId], text)) ?? text.text;
  }

  /** The same from the first of these records that contains it; `null` if none does. */
  async wholeIn(records: readonly RecordId[], text: CutText): Promise<string | null> {
    if (!mayBeCut(text)) return text.text;
    for (const recordId of records) {
      const whole = wholeTextOf(await unlessGone(() => this.#json(recordId)), text);
      if (whole !== null) return whole;
    }
    return null;
  }

  /** From the line itself: the API's answer has at most a megabyte of a record, and more than is needed here. */
  async #json(recordId: RecordId): Promise<unknown> {
    const { stream, bytes } = await this.#sessions.rawRecord(this.#id, recordId);
    if (bytes <= MAX_LINE_BYTES) return parseJson(await new Response(stream).text());
    await stream.cancel();
    return null;
  }

  /** Whether an agent's thread contains its prompt: 2.0.42 and 2.0.50 leave it out of the agent's log. */
  async beginsWithPrompt(agent: AgentId): Promise<boolean> {
    const query = {
      branch: null,
      agent,
      detail: "tools" as const,
      fold: [],
      from: 0,
      count: 1,
      around: null,
    };
    const first = await unlessGone(() => settled<RowsResponse>(() => this.#sessions.rows(this.#id, query)));
    return first?.rows[0]?.kind === "turn";
  }

  /** An image as a data URL; `null` if a page may not show it, or it is too large. */
  async image({ recordId, n, kind, mediaType }: BlobRef): Promise<string | null> {
    if (!this.#withImages || kind !== "image" || mediaType === null || !SHOWN_TYPES.has(mediaType))
      return null;
    const blob = await unlessGone(() => this.#sessions.blob(this.#id, recordId, n));
    const bytes = blob?.bytes.length ?? 0;
    if (!blob || bytes > MAX_IMAGE_BYTES || this.#imageBytes + bytes > MAX_IMAGES_BYTES) return null;
    this.#imageBytes += bytes;
    return `data:${mediaType};base64,${Buffer.from(blob.bytes).toString("base64")}`;
  }

  /** An output that the client saved to a file of its own. */
  async keptOutput({ recordId, n }: BlobRef): Promise<string | null> {
    const blob = await unlessGone(() => this.#sessions.blob(this.#id, recordId, n));
    return blob && new TextDecoder().decode(blob.bytes.subarray(0, MAX_OUTPUT_BYTES));
  }
}

/**
 * Rows are made from strings of at most 16 KiB (`session-rows.ts`): a string of that length was cut there if its
 * characters have several bytes, without its row knowing.
 */
function mayBeCut({ text, cut }: CutText): boolean {
  return cut || (text.length > 1 << 11 && Buffer.byteLength(JSON.stringify(text)) > 15 << 10);
}

/** The result; `null` if it cannot be read any more. */
export async function unlessGone<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    // The log was cut or removed meanwhile; what was read of it stays.
    if (isViewerError(error)) return null;
    throw error;
  }
}

/** Repeats the request until the session has been scanned. */
export async function settled<T>(ask: () => Promise<OrScanning<T>>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (!(typeof answer === "object" && answer !== null && "scanning" in answer)) return answer;
  }
}
