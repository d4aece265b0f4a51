import { parseFold } from "@/components/thread/thread-position";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import type { ErrorBody } from "@/lib/wire/library";
import type { SearchEvent, SearchProgress } from "@/lib/wire/search";
import type { ExportedFile } from "./exported-file";
import { find, problemsOf } from "./exported-find";

/** Work longer than this yields to the page's drawing. */
const SLICE_MS = 8;
const NOT_ASKED = { bytesDone: 0, bytesTotal: 0, filesDone: 0, filesTotal: 0 } satisfies SearchProgress;

/**
 * Answers the page's requests from the file, like the server's API: `…/sessions/{id}/` rows, outline, errors, agents,
 * calls, records, blobs and briefs, and the search. Everything else is missing (404).
 */
export function answerFrom(file: ExportedFile): (url: string, request: RequestInit) => Promise<Response> {
  return async (url, { signal = null }) => {
    const { pathname, searchParams } = new URL(url, "file:///");
    const [, , room, , what = "", id = "", part = "", n = ""] = pathname.split("/").map(decodeURIComponent);
    if (room === "search") return search(file, searchParams.get("q") ?? "", signal);
    const recordId = id as RecordId;
    switch (what) {
      case "rows":
      case "outline":
      case "errors":
        return threadAnswer(file, what, searchParams);
      case "agents":
        return Response.json({ agents: file.session.agents, nextCursor: null });
      case "calls":
        return searchParams.has("original")
          ? notThere()
          : orNotThere(file.call(recordId, Number(searchParams.get("block"))));
      case "turns":
        return orNotThere(file.brief(Number(id)));
      case "records": {
        if (part === "" && !searchParams.has("raw")) return orNotThere(file.record(recordId));
        const found = part === "blobs" ? file.blob({ recordId, n: Number(n) }) : file.line(recordId);
        return found === null ? notThere() : new Response(found);
      }
      default:
        return notThere();
    }
  };
}

function threadAnswer(file: ExportedFile, what: "rows" | "outline" | "errors", params: URLSearchParams) {
  const agent = params.get("agent") as AgentId | null;
  const thread = file.thread(agent);
  if (!thread) return notThere();
  const fold = parseFold(params.get("fold") ?? "");
  const from = Number(params.get("from") ?? 0);
  const count = Number(params.get("count") ?? 100);
  if (what === "errors") return Response.json(thread.errors(fold));
  if (what === "outline") return Response.json(thread.outline(fold, from, count));
  const around = params.get("around") as RecordId | null;
  if (around === null) return Response.json(thread.window(fold, from, count));
  const answer = thread.around(fold, around, count);
  if (answer) return Response.json(answer);
  for (const [other, one] of file.threads())
    if (one.has(around))
      return Response.json({ ...thread.window(fold, 0, count), elsewhere: { agent: other } });
  return notThere("record-not-found");
}

function orNotThere(value: unknown): Response {
  return value === null ? notThere() : Response.json(value);
}

function notThere(code = "not-in-file"): Response {
  const error: ErrorBody["error"] = {
    code,
    message: "This is not in the file.",
    hint: "It was left out, it was too large to be exported, or its log was gone.",
  };
  return Response.json({ error }, { status: 404 });
}

/** Streams hits as the server does, and lets the page draw meanwhile. */
function search(file: ExportedFile, query: string, signal: AbortSignal | null): Response {
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: SearchEvent) =>
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
      send({ kind: "start", problems: problemsOf(query) });
      let until = performance.now() + SLICE_MS;
      for (const hits of find(file, query)) {
        if (hits) send({ kind: "hits", hits });
        if (performance.now() < until) continue;
        await new Promise((resolve) => setTimeout(resolve));
        if (signal?.aborted) return controller.error(signal.reason);
        until = performance.now() + SLICE_MS;
      }
      send({ kind: "end", complete: true, nextCursor: null, progress: NOT_ASKED });
      controller.close();
    },
  });
  return new Response(stream);
}
