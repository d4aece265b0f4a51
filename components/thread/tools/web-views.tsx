import { hasFailed, resultText } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { useThreadActions } from "@/components/content/row-actions";
import { OutsideLink } from "@/components/content/text/outside-link";
import { VisibleText } from "@/components/content/text/visible-text";
import { OpenedCall, type ToolViewProps, type ToolViews } from "@/components/thread/opened-block";
import { formatBytes, formatPlural } from "@/lib/format/format";
import { fieldsOf, listField, numberField, parseJson, textField } from "@/lib/format/json-values";
import { safeHref } from "@/lib/markup/safe-href";
import { OutputBlocks } from "./output-blocks";
import { wholeOutput } from "./whole-output";

/** The web, searched and read. */
export const WEB_VIEWS: ToolViews<"web"> = {
  WebFetch: WebFetchView,
  WebSearch: WebSearchView,
};

type Found = { title: string; url: string };

/** What a search of the web gave, each link with its host, and the words around them. */
function WebSearchView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
  const results = listField(call.results[0]?.structured, "results");
  const { text } = resultText(call);
  const isStructured = results.length > 0;
  const links = isStructured ? results.flatMap(linksIn) : [...linksInBlocks(call), ...linksInText(text)];
  const words = isStructured
    ? results.filter((result) => typeof result === "string").join("\n\n")
    : wordsInText(text);
  const hosts = new Set(links.map(({ url }) => safeHref(url)?.host));
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          {links.length > 0 && (
            <span>
              {formatPlural(links.length, "link")}, {formatPlural(hosts.size, "host")}
            </span>
          )}
          {links.length > 0 && <span className="truncate text-fg-3">click links twice to open them</span>}
        </>
      }
      copy={{ label: "Copy result", text: () => wholeOutput(sessionId, call) }}
      wrappable={links.length === 0}
    >
      {links.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : (
        <>
          <ol className="py-1">
            {links.map(({ title, url }, index) => (
              <li
                key={index}
                className="grid grid-cols-[20px_minmax(0,440px)_minmax(0,1fr)] gap-x-2 px-3 text-12/6 max-sm:grid-cols-[20px_minmax(0,1fr)]"
              >
                <span data-log="none" className="text-right text-fg-3 tabular-nums">
                  {index + 1}
                </span>
                <span className="truncate">
                  <OutsideLink target={url} label={title} />
                </span>
                <span data-log="none" className="truncate text-fg-3 max-sm:col-start-2 max-sm:-mt-1">
                  {safeHref(url)?.host ?? url}
                </span>
              </li>
            ))}
          </ol>
          {words && <Markdown text={words} className="border-t border-line px-3 py-2 text-fg-2" />}
        </>
      )}
    </OpenedCall>
  );
}

function linksIn(result: unknown): Found[] {
  const content = fieldsOf(result).content;
  return Array.isArray(content) ? content.flatMap(readLink) : readLink(result);
}

/** A search that the API made itself answers with a block a link (`web_search_result`). */
function linksInBlocks({ results }: ToolViewProps["call"]): Found[] {
  return results.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "other" ? readLink(block.json) : [])),
  );
}

const LINKS = "Links: [";

/** Agents' lines have only the text from 2.1.29 on: `Links: [{"title":…,"url":…}]`. */
function linksInText(text: string): Found[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith(LINKS)) return [];
    const list = parseJson(line.slice("Links: ".length));
    return Array.isArray(list) ? list.flatMap(readLink) : [];
  });
}

/** The rest of that text. */
function wordsInText(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith(LINKS))
    .join("\n")
    .trim();
}

function readLink(value: unknown): Found[] {
  const url = textField(value, "url");
  return url === null ? [] : [{ title: textField(value, "title") ?? url, url }];
}

/** A page that the model had read, and the answer made of it. Nothing is fetched again. */
function WebFetchView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
  const url = textField(call.input, "url") ?? row.subject;
  const prompt = textField(call.input, "prompt");
  const structured = call.results[0]?.structured;
  const code = numberField(structured, "code");
  const bytes = numberField(structured, "bytes");
  const answered = call.results.length > 0 && !hasFailed(call);
  const { text } = resultText(call);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          <span className="min-w-0 truncate font-mono">
            <OutsideLink target={url} />
          </span>
          {code !== null && (
            <span>{[code, textField(structured, "codeText")].filter(Boolean).join(" ")}</span>
          )}
          {bytes !== null && <span>{formatBytes(bytes)}</span>}
          <span className="truncate text-fg-3">not opened here</span>
        </>
      }
      copy={{ label: "Copy answer", text: () => wholeOutput(sessionId, call) }}
    >
      {prompt && (
        <p className="max-w-measure px-3 pt-2 text-fg-3">
          <span data-log="none">Asked: </span>
          <VisibleText text={prompt} />
        </p>
      )}
      {answered ? <Markdown text={text} className="px-3 py-2" /> : <OutputBlocks row={row} call={call} />}
    </OpenedCall>
  );
}
