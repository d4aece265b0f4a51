import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedBlock } from "../opened-block";
import { firstProseLine } from "./first-line";
import { RowFrame } from "./row-frame";
import { RowLine } from "./row-line";
import type { RowProps } from "./row-props";

/** Where an agent's answer comes back. */
export function AgentReturnRowView({ row, open, selected }: RowProps<"agent-return">) {
  const { toggleOpen } = useThreadActions();
  const word = row.notified ? "notified" : "returned";
  return (
    <RowFrame node={{ shape: "agent-return", lane: row.lane }} selected={selected}>
      <RowLine
        row={row}
        open={open}
        onToggle={() => toggleOpen(row.key)}
        name={word}
        nameTone="quiet"
        prose
        subject={<VisibleText text={firstProseLine(row.text.text)} />}
      />
      {open && (
        <OpenedBlock
          row={row}
          facts={`${word} by the agent`}
          copy={{ label: "Copy answer", text: row.text.text }}
        >
          <div className="px-3 py-2">
            <MoreText row={row} text={row.text}>
              {(text) => <Markdown text={text} />}
            </MoreText>
          </div>
        </OpenedBlock>
      )}
    </RowFrame>
  );
}
