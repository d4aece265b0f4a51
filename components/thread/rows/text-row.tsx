import { Markdown } from "../markdown/markdown";
import { MoreText } from "../text/more-text";
import { RowFrame } from "./row-frame";
import type { RowProps } from "./row-props";

/** What the model said. */
export function TextRowView({ row, selected }: RowProps<"text">) {
  return (
    <RowFrame node={{ shape: "text" }} selected={selected} tall>
      <div className="pt-1 pr-[calc(168px+8px)] pb-1.5 @max-[720px]/thread:pr-3 max-sm:pr-3">
        <MoreText row={row} text={row.text}>
          {(text) => <Markdown text={text} />}
        </MoreText>
      </div>
    </RowFrame>
  );
}
