import { Fragment } from "react";
import { hasHidden, splitHidden } from "./hidden-characters";

/** Text with its invisible and direction-changing characters shown as badges. */
export function VisibleText({ text }: { text: string }) {
  if (!hasHidden(text)) return text;
  return splitHidden(text).map((part, index) =>
    part.kind === "text" ? (
      // Parts of one text never change places.
      <Fragment key={index}>{part.text}</Fragment>
    ) : (
      <span
        key={index}
        className="mx-px rounded-[2px] border border-warn px-0.5 font-mono text-11 text-warn"
        title="A character that shows nothing"
      >
        {part.label}
      </span>
    ),
  );
}
