import { useQuery } from "@tanstack/react-query";
import { hasFailed, resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { useUnfolded } from "@/components/content/row-state";
import { VisibleText } from "@/components/content/text/visible-text";
import {
  CallFacts,
  OpenedBlock,
  SectionLine,
  type ToolView,
  type ToolViewProps,
} from "@/components/thread/opened-block";
import { Button } from "@/components/ui/button";
import { DetailState } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { formatCount } from "@/lib/format/format";
import { toolNamed, type ViewedTool } from "@/lib/tools/tools";
import type { SessionId } from "@/lib/wire/ids";
import { type CallDetail, isWholeField, MAX_FIELD } from "@/lib/wire/record";
import type { ToolRow } from "@/lib/wire/rows";
import { AGENT_VIEWS } from "./agent-views";
import { CallData, KeyValues, PlainToolView } from "./call-data";
import { CLIENT_VIEWS } from "./client-views";
import { FILE_VIEWS } from "./file-views";
import { OutputBlocks } from "./output-blocks";
import { SEARCH_VIEWS } from "./search-views";
import { SHELL_VIEWS } from "./shell-views";
import { TASK_VIEWS } from "./task-views";
import { WEB_VIEWS } from "./web-views";

const VIEWS: Readonly<Record<ViewedTool, ToolView>> = {
  ...SHELL_VIEWS,
  ...FILE_VIEWS,
  ...SEARCH_VIEWS,
  ...WEB_VIEWS,
  ...AGENT_VIEWS,
  ...TASK_VIEWS,
  ...CLIENT_VIEWS,
};

/** Below an opened tool row: its call, read from the log, in the tool's own view. */
export function ToolDetail({ row }: { row: ToolRow }) {
  const { sessionId } = useThreadActions();
  const call = useQuery({
    queryKey: callQueryKey(sessionId, row),
    queryFn: ({ signal }) => api.call(sessionId, row.recordId, row.block, { signal }),
    staleTime: 60_000,
    gcTime: 30_000,
    structuralSharing: false,
    // What is shown of a call that has just ended stays until its result is there.
    placeholderData: (before, query) => (isOf(query?.queryKey, row) ? before : undefined),
  });
  if (!call.data) return <DetailState query={call} />;
  const View = viewOf(row, call.data);
  return (
    <div className="min-w-0">
      <View row={row} call={call.data} />
      <CutNote row={row} call={call.data} />
      {call.data.results.length > 0 && <LoggedResult row={row} call={call.data} />}
    </div>
  );
}

/** Where the whole of a call's long texts is. Views of files read what they need of it themselves. */
function CutNote({ row, call }: ToolViewProps) {
  const { inspect } = useThreadActions();
  const own = row.server === null ? toolNamed(row.name) : null;
  if (own?.family === "files" || !holdsCut([call.input, ...call.results.map(({ content }) => content)]))
    return null;
  return (
    <p data-log="none" className="mr-3 mb-2 ml-6 text-12 text-fg-3 max-sm:ml-0">
      Texts of this call are cut at {formatCount(MAX_FIELD)} characters.
      {inspect && (
        <Button kind="quiet" className="ml-1 h-5 px-1.5" onClick={() => inspect(row.recordId)}>
          Open its record
        </Button>
      )}
    </p>
  );
}

/** Whether a value of a log holds a text that was cut on its way here. It is no deeper than the server lets it be. */
function holdsCut(value: unknown): boolean {
  if (typeof value === "string") return !isWholeField(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsCut);
}

/**
 * What the call gave back, as logged, below a view that shows something else in its place, such as the agent that was
 * launched or the file that was changed. Find alone opens it, for a hit that stands nowhere above.
 */
function LoggedResult({ row, call }: ToolViewProps) {
  const [shown, setShown] = useUnfolded("logged result", false);
  if (!shown) {
    return (
      <div data-log="output" hidden>
        <button type="button" data-unfolds="" onClick={() => setShown(true)}>
          Show the result as logged
        </button>
      </div>
    );
  }
  return (
    <section
      aria-label="Result as logged"
      className="mr-3 mb-2 ml-6 overflow-hidden rounded-2 border border-line-2 bg-bg max-sm:ml-0"
    >
      <div
        data-log="none"
        className="flex h-control items-center border-b border-line bg-panel pr-1 pl-2 text-11 text-fg-2"
      >
        <span className="flex-1">result as logged</span>
        <Button kind="quiet" className="h-5 px-1.5" onClick={() => setShown(false)}>
          Hide
        </Button>
      </div>
      <OutputBlocks row={{ ...row, state: "ok" }} call={call} errorsRed={false} plain={asItIs} />
    </section>
  );
}

const asItIs = (text: string) => text;

/** What an opened call is kept under. Its state belongs to it: a running call is read again when it has ended. */
export function callQueryKey(sessionId: SessionId, { recordId, block, state }: ToolRow) {
  return ["call", sessionId, recordId, block, state] as const;
}

function isOf(key: readonly unknown[] | undefined, { recordId, block }: ToolRow): boolean {
  return key?.[2] === recordId && key[3] === block;
}

function viewOf(row: ToolRow, call: CallDetail): ToolView {
  if (whyNotRun({ call })) return NotRunView;
  if (row.server !== null) return McpView;
  const tool = toolNamed(row.name);
  if (!tool) return RawToolView;
  return tool.family === "other" ? PlainToolView : VIEWS[tool.name];
}

/** A tool that this page has never heard of: its input by key, its output as it came. */
function RawToolView({ row, call }: ToolViewProps) {
  return <CallData row={row} call={call} facts={<span>unknown tool, shown as logged</span>} />;
}

/** Why the client had nothing to run: what the model asked for is all there is to such a call. */
function whyNotRun({ call }: Pick<ToolViewProps, "call">): "no such tool" | "wrong input" | null {
  if (!hasFailed(call)) return null;
  const { text } = resultText(call);
  if (/No such tool available/.test(text)) return "no such tool";
  return /^(?:<tool_use_error>)?(?:Error: )?InputValidationError/.test(text) ? "wrong input" : null;
}

/** A call of a tool that the client does not have or did not offer, or with input that the tool does not take. */
function NotRunView({ row, call }: ToolViewProps) {
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={{ ...row, result: whyNotRun({ call }) }} />
          <span className="font-mono">{row.name}</span>
        </>
      }
      copy={{ label: "Copy input", text: () => JSON.stringify(call.input, null, 2) }}
    >
      <OutputBlocks row={row} call={call} />
      <SectionLine>input</SectionLine>
      <div data-log="input" className="px-3 py-1.5">
        <KeyValues value={call.input} />
      </div>
    </OpenedBlock>
  );
}

/** A tool of an MCP server: whose it is, and what it sent, as a table or tree where it has structure. */
function McpView({ row, call }: ToolViewProps) {
  const structured = call.results.some(({ content }) => content !== null);
  return (
    <CallData
      row={row}
      call={call}
      facts={
        <>
          <span className="truncate font-mono">
            <VisibleText text={`${row.server} / ${row.name}`} />
          </span>
          {structured && <span>structured</span>}
        </>
      }
    />
  );
}
