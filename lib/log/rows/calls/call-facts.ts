import { pathBelow, shortenHome } from "@/lib/format/text";
import type { TextSize } from "@/lib/log/records/elide";
import type { JsonObject } from "@/lib/log/records/json";
import type { DescribedToolOf, ToolFamily } from "@/lib/tools/tools";

/** What a describer sees of a call: strings may be cut to a prefix. */
export type DescribedCall = {
  name: string;
  input: JsonObject;
  /** The working directory of the call's line. */
  cwd: string | null;
  isError: boolean;
  /** Text of the first result; `null` without one. */
  text: string | null;
  /** Strings of the result are cut: whatever is counted in them is a minimum. */
  isCut: boolean;
  /** The size of the longest of these strings, as it is in the log. */
  cutSize?: TextSize | null;
  /** The client's structured result. */
  result: JsonObject | null;
  /** The subject of the task that the input names by its id, where the log gives it. */
  task?: string | null;
};

/** A call in one line: its subject, a qualifier, and its outcome. */
export type CallLine = { subject: string; aside?: string | null; result?: string | null };

/** A describer for each tool of these families that the fields of its input do not describe. */
export type Describers<Family extends ToolFamily> = Readonly<
  Record<DescribedToolOf<Family>, (facts: DescribedCall) => CallLine>
>;

/** A path as a reader of this project would write it: from the call's folder, else from home. */
export function shortPath(path: string | null, cwd: string | null): string {
  if (!path) return "";
  return (cwd ? pathBelow(cwd, path) : null) ?? shortenHome(path);
}
