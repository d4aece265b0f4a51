import { formatPlural } from "@/lib/text/format-count";
import { MarkdownLink } from "../markdown/markdown-link";
import { OpenedBlock } from "../opened-block";
import { safeHref } from "../text/safe-href";
import { VisibleText } from "../text/visible-text";
import { CallFacts } from "./call-facts";
import { OutputBlocks } from "./output-blocks";
import { fieldsOf, listField, resultText, textField } from "./tool-fields";
import type { ToolViewProps } from "./tool-view-props";

/** What a search of the web gave, each link with its host. */
export function WebSearchView({ row, call }: ToolViewProps) {
  const links = listField(call.results[0]?.structured, "results").flatMap((result) => {
    const content = fieldsOf(result).content;
    return Array.isArray(content) ? content.flatMap(readLink) : readLink(result);
  });
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {links.length > 0 && <span>{formatPlural(links.length, "link")}</span>}
        </>
      }
      copy={{ label: "Copy result", text: resultText(call).text }}
      wrappable
    >
      {links.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <ol className="py-1">
          {links.map(({ title, url }, index) => (
            <li
              key={index}
              className="grid grid-cols-[20px_minmax(0,440px)_minmax(0,1fr)] gap-x-2 px-3 text-12/6"
            >
              <span className="text-right text-fg-3 tabular-nums">{index + 1}</span>
              <span className="truncate">
                <MarkdownLink target={url}>
                  <VisibleText text={title} />
                </MarkdownLink>
              </span>
              <span className="truncate text-fg-3">{safeHref(url)?.host ?? url}</span>
            </li>
          ))}
        </ol>
      )}
    </OpenedBlock>
  );
}

function readLink(value: unknown): { title: string; url: string }[] {
  const url = textField(value, "url");
  return url === null ? [] : [{ title: textField(value, "title") ?? url, url }];
}
