import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { ChevronDown, ChevronRight, Link as LinkIcon, X } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { OVER_PAGE } from "@/components/session/panes/pane-sizes";
import { CopyButton, IconButton } from "@/components/ui/button";
import { bottomBar } from "@/components/ui/frame/bottom-bars";
import { Icon } from "@/components/ui/icon";
import { useFocusOver } from "@/components/ui/main-focus";
import { ErrorState, SkeletonRows } from "@/components/ui/states";
import { api } from "@/lib/client/api";
import { ApiError } from "@/lib/client/connection/api-error";
import { knownOfRecord, useRecord } from "@/lib/client/queries";
import { formatCompact, formatCount, formatModel, formatPercent, formatPlural } from "@/lib/format/format";
import { clip } from "@/lib/format/text";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { MessagesResponse, RequestTokens } from "@/lib/wire/model-requests/messages";
import { ContextList } from "./context-list";
import { ContextSharesView, totalChars, unloggedTokens } from "./context-shares";
import { TokenEstimate, TokenEstimateContext, useTokenEstimate } from "./token-estimate";
import { useGoToSent } from "./use-go-to-sent";

/** The pane that shows what the model was sent before it wrote a record. A sheet on narrow screens. */
export function ContextPane({
  sessionId,
  recordId,
  onGo,
  onInspect,
  onClose,
}: {
  sessionId: SessionId;
  recordId: RecordId;
  onGo: (recordId: RecordId) => void;
  /** Replaces this pane with the record's inspector. */
  onInspect: (recordId: RecordId) => void;
  onClose: () => void;
}) {
  const { copyLink } = useThreadActions();
  const { data, error, refetch } = useContextMessages(sessionId, recordId);
  const pane = useRef<HTMLElement>(null);
  useFocusOver(pane);
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label="Context"
      className={clsx(
        "@container/context flex min-h-0 flex-col bg-bg outline-none",
        OVER_PAGE,
        "max-md:border-l-0",
      )}
    >
      <header className="flex h-tool flex-none items-center gap-3 border-b border-line bg-panel px-3 text-12 whitespace-nowrap">
        <button type="button" className="text-fg-2 hover:text-fg" onClick={() => onInspect(recordId)}>
          Record
        </button>
        <h2 className="-mb-px inline-flex h-full items-center border-b-2 border-accent font-semibold">
          Context here
        </h2>
        <span className="flex-1" />
        <IconButton
          icon={LinkIcon}
          small
          label="Copy link to this record"
          onClick={() => copyLink?.({ recordId, block: 0 })}
        />
        <IconButton icon={X} small label="Close context" keys="c" onClick={onClose} />
      </header>
      {error && !data && (
        <ErrorState
          title="Couldn’t load the context"
          message={error.message}
          hint={error instanceof ApiError ? error.hint : undefined}
          code={error instanceof ApiError ? error.code : undefined}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <SkeletonRows count={12} label="Loading the request" />}
      {data && <SentRequest sessionId={sessionId} response={data} onGo={onGo} />}
    </section>
  );
}

/** A request: how much it was, where that is known from, and its parts. */
function SentRequest({
  sessionId,
  response,
  onGo,
}: {
  sessionId: SessionId;
  response: MessagesResponse;
  onGo: (recordId: RecordId) => void;
}) {
  const { charsAToken, shares, source, tokens } = response;
  const estimate = useMemo(() => new TokenEstimate(charsAToken), [charsAToken]);
  const goToSent = useGoToSent(sessionId, onGo);
  return (
    <TokenEstimateContext value={estimate}>
      <Head sessionId={sessionId} response={response} />
      <ContextSharesView shares={shares} recorded={source === "recorded"} sent={tokens && tokens.context} />
      <ContextSource response={response} />
      <ContextList key={response.at} sessionId={sessionId} response={response} onGo={goToSent} />
      <Actions>
        <CopyButton text={() => JSON.stringify(requestOf(response), null, 2)} label="Copy as JSON">
          Copy as JSON
        </CopyButton>
        <span className="flex-1" />
        {tokens && (
          <span className="flex-none tabular-nums max-sm:shrink max-sm:text-right">{tokenWords(tokens)}</span>
        )}
        <EstimateWords />
      </Actions>
    </TokenEstimateContext>
  );
}

/** What was sent, as the API counted it and as far as the log can show it. */
function Head({ sessionId, response }: { sessionId: SessionId; response: MessagesResponse }) {
  const title = useContextTitle(sessionId, response.at);
  const { tokens, window, messages, model, shares } = response;
  const chars = totalChars(shares);
  const sent = tokens && tokens.context;
  const estimate = useTokenEstimate();
  const inMessages = `in ${formatPlural(messages.length, "message")}`;
  return (
    <div className="px-3 pt-2.5">
      <p className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">What the model was sent {title}</p>
      <p className="mt-0.5 text-12 text-fg-2 tabular-nums" title={estimate.long(chars)}>
        {sent === null ? (
          <>
            <span className="font-semibold text-fg">{estimate.short(chars)} tokens</span> {inMessages} ·{" "}
            {formatPlural(chars, "character")}
          </>
        ) : (
          <>
            <span className="font-semibold text-fg" title={`${formatCount(sent)} tokens, as the API counted`}>
              {formatCompact(sent)} tokens sent
            </span>
            {tokens && tokens.passes > 1 && ` in the last of ${formatCount(tokens.passes)} passes`}
            {window !== null && (
              <span
                title={`The model’s window is taken to be ${formatCount(window)} tokens: a log does not name it`}
              >
                {", "}
                {formatPercent(sent / window)} of {formatCompact(window)}
              </span>
            )}
            {"; "}
            {unloggedTokens(shares, sent, estimate) > 0
              ? `${estimate.short(chars)} are in the log, ${inMessages}`
              : `${inMessages}, ${formatPlural(chars, "character")}`}
          </>
        )}
        {model && ` · ${formatModel(model)}`}
      </p>
    </div>
  );
}

/** By what the tokens of single texts are estimated. */
function EstimateWords() {
  const { measured, charsAToken } = useTokenEstimate();
  return (
    <span
      className="truncate text-fg-3 tabular-nums max-sm:hidden"
      title={
        measured === null
          ? "The log has no tokens of single texts, and too few requests to tell how these are counted"
          : "By how much the requests of this conversation have grown, as the API counts them: the log has no tokens of single texts"
      }
    >
      ≈ {Math.round(charsAToken * 10) / 10} characters a token
    </span>
  );
}

function tokenWords({ input, cacheRead, cacheWrite, output, passes }: RequestTokens): string {
  return [
    passes > 1 && `${formatPlural(passes, "pass", "passes")} together`,
    cacheRead > 0 && `cache read ${formatCompact(cacheRead)}`,
    cacheWrite > 0 && `written ${formatCompact(cacheWrite)}`,
    `in ${formatCompact(input)}`,
    `out ${formatCompact(output)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function Actions({ children }: { children: ReactNode }) {
  return (
    <div
      ref={bottomBar}
      className="flex min-h-8 flex-none items-center gap-2 border-t border-line-2 bg-panel px-3 py-1 text-11/4 text-fg-2"
    >
      {children}
    </div>
  );
}

/** The request as copied: in the format of the Messages API. */
function requestOf({ model, system, tools, messages }: MessagesResponse) {
  return {
    ...(model ? { model } : {}),
    ...(system ? { system } : {}),
    ...(tools ? { tools } : {}),
    messages,
  };
}

/** Where the messages come from and how reliable they are, with an explanation that opens. */
function ContextSource({ response }: { response: MessagesResponse }) {
  const [open, setOpen] = useState(false);
  const { verdict, aside, how, sure } = describeSource(response);
  return (
    <div className="border-t border-line bg-panel text-12">
      <div className="flex min-h-7 items-center gap-2 px-3">
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-2 py-1">
          <span className="font-semibold">{verdict}</span>
          <span className={sure ? "text-fg-3" : "text-warn"}>{aside}</span>
        </span>
        <button
          type="button"
          aria-expanded={open}
          className="flex flex-none items-center gap-1 text-accent hover:underline"
          onClick={() => setOpen(!open)}
        >
          How
          <Icon of={open ? ChevronDown : ChevronRight} small />
        </button>
      </div>
      {open && <p className="max-w-measure px-3 pb-2 text-fg-2">{how}</p>}
    </div>
  );
}

function describeSource({ source, verified }: MessagesResponse) {
  if (source === "rebuilt") {
    return {
      verdict: "Rebuilt from the records",
      aside: "without reminders, system prompt and tools",
      how: "This client did not log its requests. The messages are put together from the session’s records by the rules that the client follows: the branch that leads here, what a compaction kept, results in the order of their calls. What the client added on the way, and never logged, is missing.",
      sure: true,
    };
  }
  const whole = verified !== undefined && verified.matched === verified.total;
  return {
    verdict: verified
      ? `Recorded, ${formatCount(verified.matched)} of ${formatCount(verified.total)} hashes verified`
      : "Recorded",
    aside: whole ? "against the request the client logged" : "the rest differs from what was hashed",
    how: "The client logged this request: a hash for every message and one for the system prompt and tools. Each hash was computed again from what the log holds and compared.",
    sure: whole || verified === undefined,
  };
}

/** What the model was sent before it wrote this record. Large and rarely needed twice, so it is cached only briefly. */
function useContextMessages(sessionId: SessionId, at: RecordId) {
  const query = useQuery({
    queryKey: ["messages", sessionId, at],
    queryFn: ({ signal }) => api.messages(sessionId, at, { signal }),
    gcTime: 30_000,
  });
  const { error, refetch } = query;
  return { data: knownOfRecord(query), error, refetch };
}

/**
 * The end of the pane's title: "before it wrote “All read.”". For a record that the model did not write, the request
 * covers the thread up to that record.
 */
function useContextTitle(sessionId: SessionId, at: RecordId): string {
  const { data } = useRecord(sessionId, at);
  if (!data) return "before this";
  return data.type === "assistant" ? `before it wrote ${formatFirstBlock(data.json)}` : "up to this record";
}

function formatFirstBlock(json: unknown): string {
  const { message } = (json ?? {}) as { message?: { content?: unknown } };
  const blocks = Array.isArray(message?.content) ? (message.content as Record<string, unknown>[]) : [];
  const [first] = blocks;
  if (first?.type === "text" && typeof first.text === "string") {
    return `“${clip(first.text.trim().replaceAll("\n", " "), 100)}”`;
  }
  if (first?.type === "tool_use") return `its call of ${String(first.name)}`;
  return first?.type === "thinking" ? "its thinking" : "this";
}
