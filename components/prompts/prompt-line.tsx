import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { VisibleText } from "@/components/content/text/visible-text";
import { copyAndSay } from "@/components/thread/row-text";
import { Button, CopyButton } from "@/components/ui/button";
import { Tag } from "@/components/ui/marks";
import { PageLink } from "@/components/ui/page-link";
import { FailedState } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { formatCount, formatPlural } from "@/lib/format/format";
import { folderName, shownName, shownTitle } from "@/lib/format/shown-name";
import { titleOfPrompt } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { ProjectId } from "@/lib/wire/ids";
import type { PromptUse, UsedPrompt } from "@/lib/wire/search";

/** What all prompts of a list have been asked for with. */
export type PromptsAsked = { q: string; project: ProjectId | null };

/** The whole text of a prompt, of which a list has the beginning. Throws `ApiError`. */
async function wholeText({ id, text, length }: UsedPrompt, asked: PromptsAsked): Promise<string> {
  if (text.length >= length) return text;
  return (await api.promptUses(id, { ...asked, limit: 1 })).text || text;
}

/** Copies a prompt, and says so, or why not. */
export async function copyPrompt(prompt: UsedPrompt, asked: PromptsAsked): Promise<void> {
  await copyAndSay(wholeText(prompt, asked), "Prompt copied");
}

const GONE = "Claude Code’s own history has this prompt. The log of its session is gone";

/**
 * A prompt with how often it was used, and when and where last; opened, its whole text and all its uses.
 * @param isCounted some prompt of the list was used more than once: they have a column for that
 */
export function PromptLine({
  prompt,
  asked,
  isCounted,
  isOpen,
  onToggle,
}: {
  prompt: UsedPrompt;
  asked: PromptsAsked;
  isCounted: boolean;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { id, text, uses, gone, last } = prompt;
  return (
    <li data-prompt={id} className={clsx("group border-b border-line", isOpen && "bg-panel")}>
      <div
        className={clsx(
          "grid items-baseline gap-x-3 px-3 py-1.5 hover:bg-raised",
          isCounted
            ? "grid-cols-[calc(44px*var(--u))_minmax(0,1fr)_max(230px*var(--u),24%)_calc(76px*var(--u))_24px] max-md:grid-cols-[calc(36px*var(--u))_minmax(0,1fr)_var(--control)]"
            : "grid-cols-[minmax(0,1fr)_max(230px*var(--u),24%)_calc(76px*var(--u))_24px] max-md:grid-cols-[minmax(0,1fr)_var(--control)]",
          // On a phone, no column of its own for a count that few prompts have.
          "max-sm:grid-cols-[minmax(0,1fr)_var(--control)]",
        )}
      >
        {isCounted && (
          <span
            className={clsx(
              "text-right text-12 tabular-nums max-sm:sr-only",
              uses > 1 ? "font-semibold" : "text-fg-3",
            )}
            title={`Used ${formatPlural(uses, "time")}`}
          >
            <span className="sr-only">used {formatPlural(uses, "time")}</span>
            <span aria-hidden="true">{uses > 1 ? `${formatCount(uses)} ×` : ""}</span>
          </span>
        )}
        <button
          type="button"
          data-roving=""
          aria-expanded={isOpen}
          aria-label={labelHidden(`Prompt: ${text.slice(0, 160)}`)}
          onClick={onToggle}
          className="min-w-0 text-left text-13 wrap-anywhere max-md:-col-start-3 pointer-coarse:py-0.5"
        >
          {isOpen ? (
            <span className="font-semibold">{formatUses(prompt)}</span>
          ) : (
            <span className="line-clamp-2">
              <VisibleText text={shownName(titleOfPrompt(text), "(blank prompt)")} />
            </span>
          )}
        </button>
        <span className="flex min-w-0 items-baseline gap-2 text-12 max-md:-col-start-3 max-md:row-start-2">
          {uses > 1 && (
            <span aria-hidden="true" className="font-semibold tabular-nums sm:hidden">
              {formatCount(uses)} ×
            </span>
          )}
          <LastUse last={last} />
          {gone > 0 && last.sessionId !== null && (
            <span className="flex-none text-fg-3" title={`${GONE}: ${formatPlural(gone, "use")}`}>
              {formatCount(gone)} gone
            </span>
          )}
          <span className="ml-auto flex-none text-fg-3 md:hidden">
            {last.atMs !== null && <Time atMs={last.atMs} />}
          </span>
        </span>
        <span className="text-right text-12 text-fg-2 tabular-nums max-md:hidden">
          {last.atMs === null ? null : <Time atMs={last.atMs} />}
        </span>
        <span className="-my-1 self-start max-md:-col-start-2 max-md:row-start-1">
          <CopyButton
            text={() => wholeText(prompt, asked)}
            label="Copy prompt"
            done="Prompt copied"
            kind="quiet"
          />
        </span>
      </div>
      {isOpen && (
        <div className={clsx("pr-3 pb-3 pl-3", isCounted && "md:pl-[calc(24px+44px*var(--u))]")}>
          <PromptUses prompt={prompt} asked={asked} />
        </div>
      )}
    </li>
  );
}

/** `Used 12 times in 5 sessions, 2 logs gone`. */
function formatUses({ uses, sessions, gone }: UsedPrompt): string {
  const times = uses === 1 ? "Used once" : `Used ${formatCount(uses)} times`;
  const places = sessions > 0 && uses > 1 ? ` in ${formatPlural(sessions, "session")}` : "";
  if (gone === 0) return `${times}${places}`;
  return sessions === 0
    ? `${times}, the log is gone`
    : `${times}${places}, ${formatPlural(gone, "log")} gone`;
}

/** Where a prompt was used last: its session, with the way to it, or that its log is gone. */
function LastUse({ last }: { last: PromptUse }) {
  const { sessionId, recordId, title, projectPath } = last;
  if (sessionId === null || recordId === null)
    return (
      <>
        <GoneTag />
        {projectPath !== null && (
          <span className="truncate text-fg-3" title={labelHidden(projectPath)}>
            <VisibleText text={folderName(projectPath)} />
          </span>
        )}
      </>
    );
  return (
    <PageLink
      href={hrefOfUse(sessionId, recordId)}
      className="truncate text-fg-2 hover:text-fg hover:underline pointer-coarse:py-1"
      title={labelHidden(`${title ?? ""}${projectPath === null ? "" : `\n${projectPath}`}`)}
    >
      <VisibleText text={shownTitle(title ?? "")} />
    </PageLink>
  );
}

function GoneTag() {
  return (
    <span className="flex-none" title={GONE}>
      <Tag>log is gone</Tag>
    </span>
  );
}

function hrefOfUse(sessionId: string, recordId: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}?at=${encodeURIComponent(recordId)}`;
}

/** The whole text, and every use with the way to it. */
function PromptUses({ prompt, asked }: { prompt: UsedPrompt; asked: PromptsAsked }) {
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: ["prompt-uses", prompt.id, prompt.uses, asked],
    queryFn: ({ pageParam, signal }) =>
      api.promptUses(prompt.id, { ...asked, limit: 50, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const [first] = data?.pages ?? [];
  const text = first?.text || prompt.text;
  const uses = data?.pages.flatMap((page) => page.uses) ?? [prompt.last];
  const cut = prompt.length - text.length;
  return (
    <div className="grid gap-2">
      <div
        role="group"
        aria-label="The whole prompt"
        tabIndex={0}
        className="max-h-80 overflow-y-auto rounded-2 border border-line-2 bg-bg px-3 py-2 text-13 wrap-anywhere whitespace-pre-wrap"
      >
        <VisibleText text={text} />
        {first && cut > 0 && (
          <span className="text-fg-3"> … {formatPlural(cut, "more character")} in the session</span>
        )}
      </div>
      {error && !data ? (
        <FailedState title="Couldn’t read its uses" error={error} onRetry={() => void refetch()} />
      ) : (
        <ol aria-label="Uses, the latest first" className="max-w-[960px] text-12">
          {uses.map((use) => (
            <UseLine key={`${use.sessionId} ${use.recordId} ${use.atMs}`} use={use} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <span>
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            Show more uses
          </Button>
        </span>
      )}
    </div>
  );
}

function UseLine({ use: { atMs, sessionId, recordId, title, projectPath } }: { use: PromptUse }) {
  return (
    <li className="grid min-h-row grid-cols-[calc(84px*var(--u))_minmax(0,1fr)_auto] items-center gap-x-3">
      <span className="text-fg-2 tabular-nums">{atMs === null ? "no time" : <Time atMs={atMs} />}</span>
      {sessionId === null || recordId === null ? (
        <GoneTag />
      ) : (
        <PageLink
          href={hrefOfUse(sessionId, recordId)}
          className="truncate text-accent hover:underline pointer-coarse:py-1"
        >
          <VisibleText text={shownTitle(title ?? "")} />
        </PageLink>
      )}
      <span className="max-w-60 truncate text-fg-3 max-sm:max-w-28" title={labelHidden(projectPath ?? "")}>
        {projectPath !== null && <VisibleText text={folderName(projectPath)} />}
      </span>
    </li>
  );
}
