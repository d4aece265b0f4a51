import { toPrintableJson } from "@/lib/format/text";
import { settled } from "../html/log-reader";
import { traceEvents } from "../trace";
import type { Pieces, Source } from "./source";

/** Where the time went, in the form that Chrome's trace viewer and Perfetto read. */
export async function* writeTrace({ sessions, files }: Source): Pieces {
  const { title, startedAtMs } = await settled(() => sessions.detail(files.id));
  yield `{"displayTimeUnit":"ms","otherData":${toPrintableJson({ title, startedAtMs })},"traceEvents":[`;
  let separator = "\n";
  for await (const event of traceEvents(sessions, files.id, title ?? "")) {
    yield `${separator}${toPrintableJson(event)}`;
    separator = ",\n";
  }
  yield "\n]}\n";
}
