import { useInfiniteQuery } from "@tanstack/react-query";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Tag } from "@/components/ui/marks";
import { PageLink } from "@/components/ui/page-link";
import { FailedState } from "@/components/ui/states";
import { Time } from "@/components/ui/time";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format";
import { folderName, shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { PromptUse, UsedPrompt } from "@/lib/wire/search";
import type { PromptsAsked } from "./prompt-text";

/** Why a use of a prompt leads nowhere. */
export const GONE = "Claude Code’s own history has this prompt. The log of its session is gone";

/** The whole text, and every use with the way to it. */
export function PromptUses({ prompt, asked }: { prompt: UsedPrompt; asked: PromptsAsked }) {
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

/** The session of a use, with the way to it, or that its log is gone. */
export function UseLink({ use: { sessionId, recordId, title, projectPath } }: { use: PromptUse }) {
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
