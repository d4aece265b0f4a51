import type { Annotation, AnnotationTarget } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";

let made = 0;

/** A comment of the owner's on a block of the session `s`, written after those made before it, with these differences. */
export function madeComment(
  body: string,
  over: Partial<Annotation> = {},
  place: Partial<AnnotationTarget> = {},
): Annotation {
  made += 1;
  return {
    ...{ id: `c${made}`, kind: "comment", body, author: null, replyTo: null, createdAtMs: made },
    ...{ editedAtMs: null, resolvedAtMs: null, sentAtMs: null, revision: 1, state: "anchored" },
    target: {
      ...{ sessionId: "s" as SessionId, projectId: null, recordId: "m~1k9" as RecordId, uuid: null },
      ...{ block: 0, range: null, quote: { exact: "const a = 1;", prefix: "", suffix: "" } },
      ...{ hash: null, lines: null },
      ...place,
    },
    ...over,
  };
}
