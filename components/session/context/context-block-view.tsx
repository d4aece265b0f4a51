import type { ReactNode } from "react";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/lib/format/format-count";
import type { ContextBlock } from "./context-blocks";
import { LongText } from "./long-text";

/** One block of a message. Texts of the model are Markdown; what tools and the client wrote is shown as it is. */
export function ContextBlockView({ block, prose }: { block: ContextBlock; prose: boolean }) {
  switch (block.kind) {
    case "text":
      return (
        <Part label="text" chars={block.text.length} copy={block.text}>
          {prose ? <LongText text={block.text} className="px-3 py-1.5" /> : <Wrapped text={block.text} />}
        </Part>
      );
    case "thinking":
      return (
        <Part label="thinking" chars={block.text.length} copy={block.text}>
          <LongText text={block.text} className="px-3 py-1.5 text-fg-2" />
        </Part>
      );
    case "call":
      return (
        <Part
          label={
            <>
              call of <span className="font-semibold text-fg">{block.name}</span>
            </>
          }
          copy={() => JSON.stringify(block.input, null, 2)}
        >
          <div className="px-3 py-1.5">
            <JsonTree value={block.input} openLevels={2} />
          </div>
        </Part>
      );
    case "result":
      return (
        <Part
          label={
            <span className={block.isError ? "text-err" : ""}>{block.isError ? "error" : "result"}</span>
          }
        >
          {block.blocks.length === 0 && <p className="px-3 py-1.5 text-12 text-fg-3">empty</p>}
          {block.blocks.map((one, index) =>
            one.kind === "text" ? (
              <Wrapped key={index} text={one.text} isError={block.isError} />
            ) : (
              <ContextBlockView key={index} block={one} prose={false} />
            ),
          )}
        </Part>
      );
    case "media":
      return (
        <Part label={block.type}>
          <p className="px-3 py-1.5 text-12 text-fg-2">
            {block.mediaType ?? "of an unknown type"}; shown at its record in the thread
          </p>
        </Part>
      );
    case "other":
      return (
        <Part label={block.type} copy={() => JSON.stringify(block.json, null, 2)}>
          <div className="px-3 py-1.5">
            <JsonTree value={block.json} />
          </div>
        </Part>
      );
  }
}

function Wrapped({ text, isError = false }: { text: string; isError?: boolean }) {
  return (
    <div data-wrap="true" className="group/opened">
      <OutputText text={text} isError={isError} />
    </div>
  );
}

function Part({
  label,
  chars,
  copy,
  children,
}: {
  label: ReactNode;
  chars?: number;
  copy?: string | (() => string);
  children: ReactNode;
}) {
  return (
    <div className="border-t border-line first:border-t-0">
      <div className="flex h-6 items-center gap-2 bg-panel pr-1 pl-3 text-11 text-fg-3 tabular-nums">
        <span className="flex-1">{label}</span>
        {chars === undefined ? null : <span>{formatCount(chars)} ch</span>}
        {copy && <CopyButton text={copy} label="Copy this block" className="h-5" />}
      </div>
      {children}
    </div>
  );
}
