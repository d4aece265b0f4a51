import { clsx } from "clsx";
import { BlobView } from "@/components/content/blob/blob-view";
import { CodeFence } from "@/components/content/code/code-block";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { textPart, useUnfolded } from "@/components/content/row-state";
import { MoreText } from "@/components/content/text/more-text";
import { TurnUsageLines } from "@/components/content/text/request-usage";
import { TurnBriefBlock } from "@/components/thread/brief/turn-brief";
import { Rail } from "@/components/thread/rail/rail";
import { Chevron } from "@/components/ui/icon";
import { formatPlural } from "@/lib/format/format";
import { CopyRowButton } from "./copy-row-button";
import { PromptSettings, splitPrompt } from "./prompt-settings";
import type { RowProps } from "./row-line";
import { SelectedBar, TurnLine } from "./turn-line";

/** A human prompt, whole: its first line as the turn's header, and below it what follows. */
export function TurnRowView({ row, open, selected }: RowProps<"turn">) {
  const { sessionId, lane } = useThreadActions();
  const { rest } = splitPrompt(row.prompt.text, row.prompt.cut);
  const more = !row.folded && (rest.length > 0 || row.prompt.cut || row.blobs.length > 0);
  return (
    <>
      <div
        className={clsx(
          "relative border-t border-b border-t-line-2 border-b-line",
          selected
            ? "bg-sel [--ground:var(--sel)] group-focus-visible/row:ring-2 group-focus-visible/row:ring-accent group-focus-visible/row:ring-inset"
            : "bg-panel [--ground:var(--panel)]",
        )}
      >
        {selected && <SelectedBar />}
        <TurnLine
          facts={row}
          whole={!row.folded}
          brief={row.source === "agent" ? null : open}
          copy={
            <CopyRowButton
              row={row}
              className="-mx-1.5 text-fg-3 pointer-coarse:h-8 pointer-coarse:min-w-8"
            />
          }
        />
        {more && (
          <div className="grid grid-cols-[var(--rail)_minmax(0,1fr)]">
            <Rail node={{ shape: "none" }} lane={lane} />
            <div className="pr-3 pb-2">
              <MoreText row={row} text={row.prompt}>
                {(text) => <PromptRest prompt={text} isCut={row.prompt.cut} />}
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
      {open && (
        <div className="grid grid-cols-[var(--rail)_minmax(0,1fr)]">
          <Rail node={{ shape: "none" }} lane={lane} />
          <div>
            <PromptSettings settings={row.settings} />
            {row.source === "agent" ? (
              <div className="py-1.5 pr-3 text-12 tabular-nums">
                <TurnUsageLines usage={{ own: row.usage, agents: row.agentsUsage }} />
              </div>
            ) : (
              <TurnBriefBlock sessionId={sessionId} turn={row.turn} toolCalls={row.toolCalls} />
            )}
          </div>
        </div>
      )}
    </>
  );
}

/** What of a prompt stands below its first line; pastes are folded. */
function PromptRest({ prompt, isCut }: { prompt: string; isCut: boolean }) {
  return splitPrompt(prompt, isCut).rest.map(({ pasted, text }, index) =>
    // The parts of a prompt never reorder, so the index is a stable key.
    pasted ? <Paste key={index} text={text} /> : <Markdown key={index} text={text} />,
  );
}

function Paste({ text }: { text: string }) {
  const [open, setOpen] = useUnfolded(textPart("paste", text), false);
  return (
    <div className="max-w-measure not-first:mt-1.5">
      <button
        type="button"
        aria-expanded={open}
        data-unfolds={open ? undefined : ""}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1 rounded-1 text-12 text-fg-2 hover:text-fg"
      >
        <Chevron open={open} />
        Pasted text
        <span className="text-fg-3 tabular-nums">{formatPlural(text.trim().split("\n").length, "line")}</span>
      </button>
      {open && (
        <div className="mt-1">
          <CodeFence text={text} language="" />
        </div>
      )}
    </div>
  );
}
