import { useMemo } from "react";
import { CodeLine } from "@/components/content/code/code-line";
import type { LineSpans } from "@/components/content/code/highlight-job";
import type { CodeDiffLine } from "./diff-line";
import { wordMarks } from "./word-marks";

/** Ground, sign and word tint of each kind of line. */
export const LOOKS = {
  context: { ground: "", sign: "", mark: "", word: "" },
  added: { ground: "bg-add-bg", sign: "text-add-fg", mark: "+", word: "bg-add-w" },
  removed: { ground: "bg-del-bg", sign: "text-del-fg", mark: "−", word: "bg-del-w" },
};

/** A line's code, with the words that its counterpart does not have. Found when drawn: most lines never are. */
export function DiffCode({ line, spans }: { line: CodeDiffLine; spans: LineSpans | undefined }) {
  const { kind, text, pair } = line;
  const marks = useMemo(() => {
    if (pair === null) return [];
    return kind === "removed" ? wordMarks(text, pair).removed : wordMarks(pair, text).added;
  }, [kind, text, pair]);
  return <CodeLine text={text} spans={spans} marks={marks} markClass={LOOKS[kind].word} />;
}
