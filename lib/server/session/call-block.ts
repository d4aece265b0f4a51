import { ViewerError } from "@/lib/server/runtime/viewer-error";
import type { OpenSession } from "./open-session";

const NONE = -1;

/** The block of the call at this place of a record. Throws `call-not-found`. */
export function callBlock({ table }: OpenSession, record: number, place: number): number {
  const first = table.records.get("firstBlock", record);
  for (
    let block = first;
    block < table.blocks.size && table.blocks.get("record", block) === record;
    block++
  ) {
    if (table.blocks.get("index", block) === place && table.blocks.get("call", block) !== NONE) return block;
  }
  throw notACall();
}

/** `call-not-found`, for a place of a record that holds something else. */
export function notACall(): ViewerError {
  return new ViewerError("call-not-found", "There is no tool call at this place of the record", {
    hint: "Open the record itself.",
  });
}
