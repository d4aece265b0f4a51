import { formatPlural } from "@/lib/text/format-count";
import { ShowMore } from "../code/show-more";
import { useSteps } from "../code/use-steps";
import { OpenedBlock } from "../opened-block";
import { shortenPath } from "../text/shorten-path";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { fieldsOf, listField, numberField, resultText } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** Glob and Grep that named files: the list of them. Grep's matching lines come as output. */
export function SearchView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  const files = listField(structured, "filenames").filter((name) => typeof name === "string");
  const hasContent = typeof fieldsOf(structured).content === "string" && fieldsOf(structured).content !== "";
  const steps = useSteps(files.length, 100);
  const count = numberField(structured, "numFiles") ?? files.length;
  const matches = numberField(structured, "numMatches") ?? numberField(structured, "numLines");
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {matches !== null && <span>{formatPlural(matches, "line")}</span>}
          {count > 0 && <span>{formatPlural(count, "file")}</span>}
          {fieldsOf(structured).truncated === true && <span className="text-warn">cut by the client</span>}
        </>
      }
      copy={{ label: "Copy result", text: resultText(call).text }}
      wrappable
    >
      {files.length > 0 && !hasContent ? (
        <div className="py-1 font-mono text-code">
          {files.slice(0, steps.shown).map((file) => (
            <div key={file} className="truncate px-3 leading-[22px]" title={file}>
              <VisibleText text={shortenPath(file, call.cwd)} />
            </div>
          ))}
          <ShowMore steps={steps} unit="files" />
        </div>
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
      {call.results.length > 0 && count === 0 && resultText(call).length === 0 && (
        <p className="px-3 py-1 text-12 text-fg-3">Nothing found.</p>
      )}
    </OpenedBlock>
  );
}
