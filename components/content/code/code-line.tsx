import { VisibleText } from "@/components/content/text/visible-text";
import { cx } from "@/lib/client/class-names";
import type { LineSpans } from "./highlight-job";
import { type LinePiece, linePieces, type Mark } from "./line-pieces";

const KIND_CLASS: Record<LinePiece["kind"], string> = {
  plain: "",
  keyword: "text-a-magenta",
  string: "text-a-green",
  function: "text-a-blue",
  constant: "text-a-cyan",
  comment: "text-fg-3",
  parameter: "",
  punctuation: "",
  link: "text-a-blue",
};

const NO_MARKS: readonly Mark[] = [];
/** A longer line is cut, with a word about it: layout of one huge line freezes the page. */
const LINE_CHARACTERS = 5_000;

/** One line of code with its syntax, and words set off by `markClass`. */
export function CodeLine({
  text,
  spans,
  marks = NO_MARKS,
  markClass,
}: {
  text: string;
  spans?: LineSpans | undefined;
  marks?: readonly Mark[];
  markClass?: string;
}) {
  const shown = text.length > LINE_CHARACTERS ? text.slice(0, LINE_CHARACTERS) : text;
  return (
    <>
      {linePieces(shown, spans, marks).map(({ text: piece, kind, marked }, index) => {
        // Marked words win over syntax: plain text keeps its contrast on both word tints.
        const className = marked ? cx("rounded-[2px] text-fg", markClass) : KIND_CLASS[kind];
        const content = <VisibleText text={piece} />;
        return className ? (
          <span key={index} className={className}>
            {content}
          </span>
        ) : (
          <span key={index}>{content}</span>
        );
      })}
      {shown.length < text.length && (
        <span className="text-fg-3">
          {" "}
          … {(text.length - shown.length).toLocaleString("en")} more characters
        </span>
      )}
    </>
  );
}
