import type { z } from "zod";
import { toPrintableJson } from "@/lib/format/text";
import { faultCode } from "@/lib/server/disk/file-fault";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { type Guest, shareEnded } from "@/lib/server/shares/shares";
import type { ErrorBody } from "@/lib/wire/library";
import { PROOF_HEADER } from "@/lib/wire/proof.mjs";
import type { EventsRequest } from "@/lib/wire/requests/events";
import type { ScanProgress } from "@/lib/wire/session";
import { proofFor, UNAUTHORISED } from "./authorise";
import { type Caller, callerOf } from "./caller";
import type { Library } from "./library";
import { getState } from "./state";

const HEADERS = { "cache-control": "no-store", "content-type": "application/json" };

/**
 * Answers an API request: 401 without a token that is good (204 where only a proof is asked for), else what `answer`
 * returns as JSON: 202 for a ScanProgress, a Response as it is. ViewerErrors become `{error: {code, message, hint}}` with
 * their status, anything else a 500 that tells neither message nor stack. Nothing is ever cached.
 * @param answer given what there is for whoever asks
 */
export async function respond(
  request: Request,
  answer: (library: Library, caller: Caller) => unknown,
): Promise<Response> {
  let caller: Caller | null = null;
  try {
    caller = await callerOf(request);
    const library = caller.kind === "owner" ? getState() : await caller.guest.library();
    const asked = () => answer(library, caller as Caller);
    const value = await library.activity.during(asked);
    const hasEnded = caller.kind === "guest" && caller.guest.signal.aborted;
    const isHead = request.method === "HEAD";
    // A body that nobody reads would never be cancelled: Next answers HEAD as GET and leaves the body where it is.
    if (value instanceof Response && (hasEnded || isHead)) await value.body?.cancel();
    if (hasEnded) throw shareEnded();
    if (value instanceof Response) {
      // Streams say so themselves: they must not be transformed either.
      if (value.headers.get("content-type") !== "text/event-stream")
        value.headers.set("cache-control", "no-store");
      if (isHead) return new Response(null, value);
      return caller.kind === "guest" ? endingWith(value, caller.guest) : value;
    }
    return new Response(toPrintableJson(value), {
      status: isScanProgress(value) ? 202 : 200,
      headers: HEADERS,
    });
  } catch (error) {
    const proof = caller === null ? proofFor(request) : null;
    if (proof === null) return toErrorResponse(error, caller);
    // Who asks for a proof sends no token on purpose. An error would stand in their console, where it looks like a fault.
    const isDue = isUnauthorised(error) && request.headers.get("authorization") === null;
    const answer = isDue
      ? new Response(null, { status: 204, headers: { "cache-control": "no-store" } })
      : toErrorResponse(error, caller);
    answer.headers.set(PROOF_HEADER, proof);
    return answer;
  }
}

function isUnauthorised(error: unknown): boolean {
  return isViewerError(error) && error.code === UNAUTHORISED.code;
}

/** A guest is told no path: it would be one of the copy that they read. */
function toErrorResponse(error: unknown, caller: Caller | null): Response {
  if (isViewerError(error)) {
    const { code, message, hint } = error;
    const path = caller?.kind === "owner" ? error.path : undefined;
    const body: ErrorBody = { error: { code, message, hint, ...(path === undefined ? {} : { path }) } };
    return new Response(toPrintableJson(body), { status: error.status, headers: HEADERS });
  }
  console.error(error);
  const body: ErrorBody = {
    error: {
      code: "internal-error",
      message: "Backscroll failed to answer",
      hint: "This is a bug. The terminal that runs Backscroll shows where.",
    },
  };
  return new Response(toPrintableJson(body), { status: 500, headers: HEADERS });
}

/** An answer that breaks off when the share ends by which it was asked for. */
export function endingWith(
  answer: Response,
  { signal, follow }: Pick<Guest<Library>, "signal" | "follow">,
): Response {
  if (!answer.body) return answer;
  const isStream = answer.headers.get("content-type") === "text/event-stream";
  let leave: () => void = isStream ? follow() : () => undefined;
  const reader = answer.body.getReader();
  // A reader who leaves also ends what was being read for them: they leave once.
  const end = () => {
    leave();
    leave = () => undefined;
    signal.removeEventListener("abort", abort);
  };
  // It may have failed already, which its reader is told, or fail now that it is to end.
  const abort = () => {
    reader.cancel().catch((error: unknown) => console.error("Ending an answer failed:", error));
  };
  signal.addEventListener("abort", abort);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        end();
        throw error;
      });
      if (value) controller.enqueue(value);
      if (!done) return;
      end();
      if (signal.aborted) controller.error(brokenOff("The share has ended"));
      else controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}

function isScanProgress(value: unknown): value is ScanProgress {
  return typeof value === "object" && value !== null && "scanning" in value;
}

/** Types that a page may show as they are. Everything else is a download: SVG and HTML can hold scripts. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const NOSNIFF = { "x-content-type-options": "nosniff" };

/** An image with its sniffed type, or anything else as an attachment of unknown type. */
export function blobResponse({
  bytes,
  mediaType,
}: {
  bytes: Uint8Array;
  mediaType: string | null;
}): Response {
  const shown = mediaType !== null && SHOWN.has(mediaType);
  const headers = {
    ...NOSNIFF,
    "content-length": String(bytes.byteLength),
    "content-type": shown ? mediaType : "application/octet-stream",
    "content-disposition": shown ? "inline" : "attachment",
  };
  // Copied into a buffer of its own: a Response takes no view of a shared one.
  return new Response(new Uint8Array(bytes), { headers });
}

/** A record's bytes as they are on disk. */
export function rawResponse({
  stream,
  bytes,
}: {
  stream: ReadableStream<Uint8Array>;
  bytes: number;
}): Response {
  const headers = {
    ...NOSNIFF,
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(bytes),
  };
  return new Response(stream, { headers });
}

/**
 * A file as a download. A reader that goes away ends the work. It begins when the first piece is made, so that what fails
 * before, as where a log has been deleted since its session was looked up, is thrown and answered as any other failure.
 */
export async function downloadResponse({
  name,
  mediaType,
  pieces,
}: {
  name: string;
  mediaType: string;
  pieces: AsyncGenerator<string | Uint8Array>;
}): Promise<Response> {
  const first = await pieces.next();
  const headers = {
    ...NOSNIFF,
    "content-type": mediaType,
    "content-disposition": `attachment; filename="${name}"`,
  };
  return new Response(
    streamOf(pieces, (piece) => piece, first),
    { headers },
  );
}

/** A stream of server-sent events that no proxy and no compression holds back. */
function eventStreamResponse(body: ReadableStream<Uint8Array>): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** Events as such a stream. The reader's leaving ends the generator. */
export function eventResponse(events: AsyncGenerator<{ kind: string }>): Response {
  const toText = (event: { kind: string }) => `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
  return eventStreamResponse(streamOf(events, toText));
}

/**
 * What a generator yields as a stream of bytes, made as it is read. The reader's leaving ends the generator, also
 * while it makes the next piece, which then goes nowhere. What it throws breaks the stream off, and is printed: what is
 * no bug in one line.
 * @param first what was taken from the generator already
 */
export function streamOf<T>(
  pieces: AsyncGenerator<T>,
  toBytes: (piece: T) => string | Uint8Array,
  first: IteratorResult<T> | null = null,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let taken = first;
  let hasLeft = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = taken ?? (await pieces.next());
        taken = null;
        // A stream that was cancelled meanwhile takes no more, and says so by throwing.
        if (hasLeft) return;
        if (done) {
          controller.close();
          return;
        }
        const bytes = toBytes(value);
        controller.enqueue(typeof bytes === "string" ? encoder.encode(bytes) : bytes);
      } catch (error) {
        if (!hasLeft) console.error(isPassing(error) ? `An answer broke off: ${messageOf(error)}` : error);
        controller.error(brokenOff(messageOf(error), error));
      }
    },
    async cancel() {
      hasLeft = true;
      await pieces.return(undefined);
    },
  });
}

/** A fault of the world and no bug, such as a log that was removed while it was read. */
function isPassing(error: unknown): boolean {
  return isViewerError(error) || faultCode(error) !== null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What closes the connection of an answer that is not whole. By its name Next prints no stack of its own for it. */
function brokenOff(message: string, cause?: unknown): Error {
  const error = new Error(message, { cause });
  error.name = "AbortError";
  return error;
}

/** The stream that a request for events means; `Last-Event-ID` goes before `since`. */
export async function eventsResponse(
  { headers, signal }: Request,
  { session, since, branch, agent, detail, fold, runs, agents, window, news }: z.output<typeof EventsRequest>,
  { catalog, live }: Library,
  caller: Caller,
): Promise<Response> {
  if (session) await catalog.settle(session);
  const guest = caller.kind === "guest" ? caller.guest : null;
  const last = headers.get("last-event-id") ?? since;
  // A page that connects again has been there.
  if (session && last === null) guest?.opened(window);
  const body = live.open({
    session,
    news,
    since: last,
    view: { branch, agent, detail, fold: fold.join(","), runs: runs && runs.join(",") },
    folding: { fold, runs },
    beside: agents.map((one) => ({
      view: { ...one, detail, fold: "", runs: one.runs && one.runs.join(",") },
      folding: { fold: [], runs: one.runs },
    })),
    signal,
    joined:
      window === null
        ? undefined
        : (stream) =>
            getState().presence.join({ window, share: guest?.shareId ?? null, stream, ends: guest?.signal }),
  });
  return eventStreamResponse(body);
}
