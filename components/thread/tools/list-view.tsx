import { ShowMore } from "@/components/content/code/show-more";
import { useSteps } from "@/components/content/code/use-steps";
import { resultText, textField } from "@/components/content/log-values";
import { shortenPath } from "@/components/content/text/shorten-path";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { listedEntries } from "./file-groups";
import { OutputBlocks } from "./output-blocks";

/** LS: the folder's tree as it was printed. */
export function ListView({ row, call }: ToolViewProps) {
  const { text } = resultText(call);
  const entries = listedEntries(text);
  const steps = useSteps(entries.length, 200);
  const path = textField(call.input, "path");
  const failed = call.results.some(({ isError }) => isError);
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {path && <span className="truncate font-mono">{shortenPath(path, call.cwd)}</span>}
          {entries.length > 0 && <span>{formatPlural(entries.length, "entry", "entries")}</span>}
        </>
      }
      copy={{ label: "Copy list", text }}
    >
      {failed || entries.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          <ul className="py-1 font-mono text-code">
            {entries.slice(0, steps.shown).map(({ name, depth, folder }, index) => (
              <li key={index} className={`truncate px-3 leading-[22px] ${INDENTS[Math.min(depth, 6)]}`}>
                <span className={folder ? "text-fg-2" : ""}>
                  <VisibleText text={name} />
                </span>
              </li>
            ))}
          </ul>
          <ShowMore steps={steps} unit="entries" />
        </>
      )}
    </OpenedBlock>
  );
}

const INDENTS = ["", "pl-7", "pl-11", "pl-15", "pl-19", "pl-23", "pl-27"];
