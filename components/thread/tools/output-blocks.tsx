import { useMemo, useRef } from "react";
import { AnsiText } from "@/components/content/ansi/ansi-text";
import { BlobView, ToolResultFile } from "@/components/content/blob/blob-view";
import { OutputText } from "@/components/content/code/output-text";
import { JsonTree } from "@/components/content/json-tree";
import { resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { useWholeText } from "@/components/content/text/more-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { SectionLine } from "@/components/thread/opened-block";
import { withoutErrorTag } from "@/lib/markup/plain-output";
import type { CallDetail, OutputBlock } from "@/lib/wire/record";
import type { CutText, ToolRow } from "@/lib/wire/rows";

/** What a call gave back, block by block: text as terminal output, images, and what else there is as JSON. */
export function OutputBlocks({
  row,
  call,
  errorsRed = true,
  plain = withoutErrorTag,
  only = "all",
}: {
  row: ToolRow;
  call: CallDetail;
  /** Off for commands: a failed one prints in its own colours. */
  errorsRed?: boolean;
  /** What is left of a text without what the client put around it. */
  plain?: (text: string, isError: boolean) => string;
  /** `media`: the text is shown in another way. */
  only?: "all" | "media";
}) {
  if (call.results.length === 0) return <Unanswered row={row} call={call} />;
  const refused = row.state === "denied" || row.state === "interrupted" ? row.state : null;
  if (refused && call.results.every(({ isError }) => isError)) {
    return <Refusal state={refused} text={resultText(call).text} />;
  }
  return call.results.map(({ recordId, blocks, isError }) => {
    const texts = blocks.filter((block) => block.kind === "text");
    const kept = blocks.find((block) => block.kind === "blob" && block.blob.kind === "output");
    // A file has the whole of what the only text is the beginning of.
    const preview = kept && texts.length === 1 ? texts[0] : undefined;
    return (
      <div key={recordId} data-log="output">
        {blocks.map((block, index) =>
          (only === "media" && block.kind === "text") || block === preview ? null : (
            <Block
              key={index}
              block={block}
              preview={block === kept ? plain(preview?.text.text ?? "", isError) : ""}
              row={{ ...row, recordId, block: index }}
              isError={isError && errorsRed}
              plain={plain}
            />
          ),
        )}
      </div>
    );
  });
}

function Block({
  block,
  preview,
  row,
  isError,
  plain,
}: {
  block: OutputBlock;
  /** Of an output that is a file: what the log has of it. */
  preview: string;
  row: ToolRow;
  isError: boolean;
  plain: (text: string, isError: boolean) => string;
}) {
  const { sessionId } = useThreadActions();
  if (block.kind === "text") {
    return block.text.cut ? (
      <CutOutput text={block.text} row={row} isError={isError} plain={plain} />
    ) : (
      <OutputText text={plain(block.text.text, isError)} isError={isError} />
    );
  }
  if (block.kind === "blob" && block.blob.kind === "output") {
    return <ToolResultFile sessionId={sessionId} blob={block.blob} preview={preview} />;
  }
  return (
    <div className="px-3 py-2">
      {block.kind === "blob" ? (
        <BlobView sessionId={sessionId} blob={block.blob} />
      ) : (
        <JsonTree value={block.json} openLevels={3} />
      )}
    </div>
  );
}

/** An output that was cut on its way here: its head and tail, and all of it when asked for. */
function CutOutput({
  text,
  row,
  isError,
  plain,
}: {
  text: CutText;
  row: ToolRow;
  isError: boolean;
  plain: (text: string, isError: boolean) => string;
}) {
  const { whole, state, load } = useWholeText(row, text);
  const loading = useRef(load);
  loading.current = load;
  const rest = useMemo(
    () => ({
      tail: text.tail ?? "",
      lines: text.lines ?? null,
      characters: text.length,
      state,
      load: () => loading.current(),
    }),
    [text, state],
  );
  return (
    <OutputText
      text={plain(whole ?? text.text, isError)}
      isError={isError}
      rest={whole === null ? rest : null}
    />
  );
}

/** A call that the log has no result of: what is known of it is what it had written by then. */
function Unanswered({ row, call: { partial } }: { row: ToolRow; call: CallDetail }) {
  if (!partial) {
    return (
      <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
        {row.state === "running" ? "No result yet." : "The log has no result for this call."}
      </p>
    );
  }
  return (
    <>
      <SectionLine>no result; output logged so far</SectionLine>
      <OutputText text={partial.text} />
      {partial.cut && (
        <p data-log="none" className="px-3 pb-1 text-11 text-fg-3">
          The log has more.
        </p>
      )}
    </>
  );
}

/** A longer text is an output, such as that of a hook, of which the beginning is shown first. */
const SHORT_REFUSAL = 4_000;

/** Why a call was not run, or not to its end, and what the person said to it. */
function Refusal({ state, text }: { state: "denied" | "interrupted"; text: string }) {
  const { said, byRule, byHook } = formatRefusal(text);
  return (
    <div data-log="output" className="bg-panel px-3 py-1.5 text-12 text-fg-2">
      {said ? (
        <p>
          <span data-log="none" className="text-fg-3">
            The user said{" "}
          </span>
          <span className="text-13 whitespace-pre-wrap text-fg">
            “<VisibleText text={said} />”
          </span>
        </p>
      ) : (
        <p data-log="none">
          {state === "interrupted"
            ? "Interrupted before it finished."
            : byHook
              ? "Blocked by a hook."
              : byRule
                ? "Denied by a rule, without asking."
                : "Not run: permission denied."}
        </p>
      )}
      {text.length > SHORT_REFUSAL ? (
        <OutputText text={text} />
      ) : (
        <p className="mt-0.5 text-11 [overflow-wrap:anywhere] whitespace-pre-wrap text-fg-3">
          <AnsiText text={text} />
        </p>
      )}
    </div>
  );
}

/** What a person said when they refused a call, and whether the client's text says that a rule or a hook did. */
export type RefusalText = { said: string | null; byRule: string | null; byHook: boolean };

/** What a client that keeps memories adds behind a refusal, for the model (after 2.1.110, not recorded). */
const NOTE = /\n\nNote: The user's next message may contain [\s\S]*$/;
/** What the client says for who would rather talk about its questions (after 2.1.110, not recorded). */
const TALKS = /^The user wants to clarify these questions\./;

/**
 * Reads the client's text of a refused call. "…the user said:" comes with a reason typed in the dialog
 * (2.0 and later); rules and hooks name themselves.
 */
export function formatRefusal(text: string): RefusalText {
  const words = /(?:the user said|user feedback|provided the following reason[^:]*):\s*([\s\S]+)$/i.exec(
    text,
  )?.[1];
  const said = words?.replace(NOTE, "").trim() ?? "";
  const rule =
    /(?:denied by|because of|matches? (?:the )?)\s*(?:rule|setting|policy)?\s*[:"']?([A-Z]\w*\([^)]{1,200}\))/.exec(
      text,
    )?.[1];
  const byHook = /^(?:PreToolUse:\S+ hook error: |\S+ operation blocked by hook:)/.test(text);
  return { said: said === "" || TALKS.test(said) ? null : said, byRule: rule ?? null, byHook };
}
