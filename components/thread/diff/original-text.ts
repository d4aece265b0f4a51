import type { CallDetail } from "@/lib/wire/record";
import { textField } from "../tools/tool-fields";

/** The server cuts longer strings of a result; a cut original has no lines at its end to show. */
const CUT_CHARACTERS = 64 << 10;

/** The file as it was before a call, where the client recorded it (`originalFile`; MultiEdit: `…Contents`). */
export function originalText({ results, diffs }: CallDetail): string | null {
  const structured = results[0]?.structured;
  const text = textField(structured, "originalFile") ?? textField(structured, "originalFileContents");
  return text === null || diffs.length !== 1 || text.length >= CUT_CHARACTERS - 8 ? null : text;
}
