import { Link as LinkIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { useThreadActions } from "@/components/content/row-actions";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorState } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { ApiError } from "@/lib/client/api-error";
import { cx } from "@/lib/client/class-names";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import type { MessagesResponse } from "@/lib/wire/messages";
import { ContextList } from "./context-list";
import { ContextSharesView, totalChars } from "./context-shares";
import { ContextSource } from "./context-source";
import { estimateTokens, estimateWords } from "./estimate-tokens";
import { useContextMessages, useContextWords } from "./use-context-messages";
import { useGoToSent } from "./use-go-to-sent";

/** The pane that says what the model was sent before it wrote a record. A sheet where narrow. */
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
  /** Shows the record's inspector in this pane's place. */
  onInspect: (recordId: RecordId) => void;
  onClose: () => void;
}) {
  const { copyLink } = useThreadActions();
  const goToSent = useGoToSent(sessionId, onGo);
  const { data, error, refetch } = useContextMessages(sessionId, recordId);
  return (
    <section
      aria-label="Context"
      className={cx(
        "@container/context flex min-h-0 flex-col bg-bg",
        "max-md:fixed max-md:inset-x-0 max-md:top-(--bar) max-md:bottom-0 max-md:z-20 max-md:border-l-0",
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
          onClick={() => copyLink({ recordId, block: 0 })}
        />
        <IconButton icon={X} small label="Close context" keys="c" onClick={onClose} />
      </header>
      {error && !data && (
        <ErrorState
          title="This context can’t be shown"
          message={error.message}
          hint={error instanceof ApiError ? error.hint : undefined}
          code={error instanceof ApiError ? error.code : undefined}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <SkeletonRows count={12} label="Putting the request together" />}
      {data && (
        <>
          <Head sessionId={sessionId} response={data} />
          <ContextSharesView shares={data.shares} recorded={data.source === "recorded"} />
          <ContextSource response={data} />
          <ContextList key={recordId} sessionId={sessionId} response={data} onGo={goToSent} />
          <Actions>
            <CopyButton text={() => JSON.stringify(requestOf(data), null, 2)} label="Copy as JSON">
              Copy as JSON
            </CopyButton>
            <span className="flex-1" />
            <span className="truncate tabular-nums">≈ are estimates: four characters a token</span>
          </Actions>
        </>
      )}
    </section>
  );
}

function Head({ sessionId, response }: { sessionId: SessionId; response: MessagesResponse }) {
  const words = useContextWords(sessionId, response.at);
  const chars = totalChars(response.shares);
  return (
    <div className="px-3 pt-2.5">
      <p className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">What the model was sent {words}</p>
      <p className="mt-0.5 text-12 text-fg-2 tabular-nums" title={estimateWords(chars)}>
        <span className="font-semibold text-fg">{estimateTokens(chars)} tokens</span> in{" "}
        {formatPlural(response.messages.length, "message")} · {formatCount(chars)} characters
        {response.model && ` · ${response.model.replace(/^claude-/, "")}`}
      </p>
    </div>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return (
    <div className="flex h-8 flex-none items-center gap-2 border-t border-line-2 bg-panel px-3 text-11 text-fg-2">
      {children}
    </div>
  );
}

/** What is copied: the request as the Messages API takes it. */
function requestOf({ model, system, tools, messages }: MessagesResponse) {
  return {
    ...(model ? { model } : {}),
    ...(system ? { system } : {}),
    ...(tools ? { tools } : {}),
    messages,
  };
}
