import { BlobView } from "@/components/content/blob/blob-view";
import { useThreadActions } from "@/components/content/row-actions";
import { MoreText } from "@/components/content/text/more-text";
import { TurnBriefBlock } from "@/components/thread/brief/turn-brief";
import { Rail } from "../rail/rail";
import { PromptRest } from "./prompt-rest";
import { PromptSettings } from "./prompt-settings";
import type { RowProps } from "./row-props";
import { splitPrompt } from "./split-prompt";
import { TurnHeader } from "./turn-header";

/** A human prompt: its header, and below it what the header has no room for. */
export function TurnRowView({ row, open, selected }: RowProps<"turn">) {
  const { sessionId, lane } = useThreadActions();
  const { rest } = splitPrompt(row.prompt.text);
  const more = !row.folded && (rest.length > 0 || row.prompt.cut || row.blobs.length > 0);
  return (
    <div>
      <TurnHeader facts={row} selected={selected} />
      {open && (
        <div className="grid grid-cols-[var(--rail)_minmax(0,1fr)]">
          <Rail node={{ shape: "none" }} lane={lane} />
          <div>
            <PromptSettings settings={row.settings} />
            <TurnBriefBlock sessionId={sessionId} turn={row.turn} />
          </div>
        </div>
      )}
      {more && (
        <div className="grid grid-cols-[var(--rail)_minmax(0,1fr)]">
          <Rail node={{ shape: "none" }} lane={lane} />
          <div className="py-1 pr-3 pb-2">
            <MoreText row={row} text={row.prompt}>
              {(text) => <PromptRest prompt={text} />}
            </MoreText>
            {row.blobs.length > 0 && (
              <div className="mt-1 flex flex-wrap gap-2">
                {row.blobs.map((blob) => (
                  <BlobView key={blob.n} sessionId={sessionId} blob={blob} />
                ))}
              </div>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
