import { type ReactNode, useState } from "react";
import { fieldsOf, resultText } from "@/components/content/log-values";
import { LookButtons } from "@/components/content/text/look-buttons";
import { CallFacts } from "@/components/thread/call-facts";
import { SectionLine } from "@/components/thread/section-line";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import type { CallDetail } from "@/lib/wire/record";
import { OpenedBlock } from "../opened-block";
import { type DataLook, DataView, looksOf } from "./data-view";
import { KeyValues } from "./key-values";
import { OutputBlocks } from "./output-blocks";
import { jsonIn } from "./tool-json";

const LABELS: Record<DataLook, string> = { table: "Table", tree: "Keys", raw: "Raw" };

/** A call whose input and result are data: the input by key, the result as a table or a tree. */
export function CallData({ row, call, facts }: ToolViewProps & { facts?: ReactNode }) {
  const data = resultData(call);
  const looks = looksOf(data ?? call.input);
  const [chosen, setLook] = useState<DataLook | null>(null);
  const look = chosen ?? looks[0] ?? "tree";
  const hasInput = Object.keys(fieldsOf(call.input)).length > 0;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {facts}
        </>
      }
      actions={
        (hasInput || data !== null) && (
          <LookButtons
            looks={looks.map((value) => ({ value, label: LABELS[value] }))}
            look={look}
            onChange={setLook}
          />
        )
      }
      copy={{
        label: data === null ? "Copy output" : "Copy data",
        text: () => (data === null ? resultText(call).text : JSON.stringify(data, null, 2)),
      }}
      wrappable
    >
      {hasInput &&
        (look === "raw" ? (
          <DataView value={call.input} look="raw" />
        ) : (
          <div className="px-3 py-1.5">
            <KeyValues value={call.input} />
          </div>
        ))}
      {call.results.length > 0 && hasInput && <SectionLine>result</SectionLine>}
      {data === null ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          <DataView value={data} look={look} />
          <OutputBlocks row={row} call={call} only="media" />
        </>
      )}
    </OpenedBlock>
  );
}

/** What a result holds besides words: what an MCP server sent as such, or text that is JSON. */
function resultData(call: CallDetail): object | null {
  const [result] = call.results;
  if (!result || result.isError) return null;
  if (typeof result.content === "object" && result.content !== null) return result.content;
  const texts = result.blocks.filter((block) => block.kind === "text");
  const [only] = texts;
  return texts.length === 1 && only && !only.text.cut ? jsonIn(only.text.text) : null;
}
