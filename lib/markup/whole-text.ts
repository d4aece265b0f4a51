import { valuesIn } from "@/lib/format/json-values";
import type { CutText } from "@/lib/wire/rows";

/** The elements of a notification that hold what was reported. */
const REPORTED = ["result", "event"];

/** The elements in which a command of the reader's printed: `! ls`, `/context`. Its row shows one below the other. */
const PRINTED = ["local-command-stdout", "bash-stdout", "local-command-stderr", "bash-stderr"];

/**
 * The longest string in a record that starts with a truncated text, or the framed part of a string that does: a
 * notification's report, a command's output, an agent's answer that was handed back. `null` when the record contains
 * none.
 */
export function findWholeText(json: unknown, cut: CutText): string | null {
  const start = cut.text.trimStart();
  let whole: string | null = null;
  for (const value of valuesIn(json)) {
    if (typeof value !== "string") continue;
    for (const text of [value, ...framedIn(value, cut)]) {
      const fits = text.length > cut.text.length && text.trimStart().startsWith(start);
      if (fits && text.length > (whole?.length ?? 0)) whole = text;
    }
  }
  return whole;
}

/** The texts inside the frames that clients put around them. */
function framedIn(text: string, cut: CutText): string[] {
  const printed = PRINTED.flatMap((tag) => elementIn(text, tag)).filter(Boolean);
  return [
    ...REPORTED.flatMap((tag) => elementIn(text, tag)),
    ...(printed.length > 0 ? [printed.join("\n")] : []),
    ...handedBackIn(text, cut),
  ];
}

/** 2.1.330 hands the report of an agent's agent back indented, between two lines of its own. */
function handedBackIn(text: string, cut: CutText): string[] {
  if (!text.includes("[Subagent hand-back]")) return [];
  const report = text.replace(/^ {2}/gm, "").replace(/\nagentId: [^]*$/, "");
  const at = report.indexOf(cut.text);
  return at === -1 ? [] : [report.slice(at)];
}

/** The inside of an element, up to its last closing tag, since a report may quote one; empty where there is none. */
function elementIn(text: string, tag: string): string[] {
  const at = text.indexOf(`<${tag}>`);
  if (at === -1) return [];
  const end = text.lastIndexOf(`</${tag}>`);
  return [text.slice(at + tag.length + 2, end < at ? undefined : end).trim()];
}
