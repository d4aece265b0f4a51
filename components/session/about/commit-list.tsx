import { useQuery } from "@tanstack/react-query";
import { VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { CopyButton } from "@/components/ui/button";
import { closeDialogAnd } from "@/lib/client/address/page-dialogs";
import { api } from "@/lib/client/api";
import { useIsGuest } from "@/lib/client/connection/token";
import { useNow } from "@/lib/client/use-now";
import { formatMoment } from "@/lib/format/format";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { FileStepPlace } from "@/lib/wire/files";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionCommit, SessionPullRequest } from "@/lib/wire/session";

/** The commits and pull requests of a session. */
export function useCommits(id: SessionId, revision: number) {
  return useQuery({
    queryKey: ["commits", id, revision],
    queryFn: ({ signal }) => api.commits(id, { signal }),
  });
}

const HOW: Record<SessionCommit["how"], string> = {
  made: "",
  pushed: "pushed",
  trailer: "by its trailer",
};

/** Commits with the way to their turns, pull requests, and what ties a commit to this session, to be copied. */
export function CommitList({
  commits,
  pullRequests,
  uuid,
}: {
  commits: readonly SessionCommit[];
  pullRequests: readonly SessionPullRequest[];
  uuid: string;
}) {
  const isGuest = useIsGuest();
  const nowMs = useNow();
  const last = commits.at(-1);
  const trailer = `Claude-Session: ${uuid}`;
  return (
    <>
      <ul>
        {commits.map((commit) => (
          <li key={commit.hash} className="flex min-h-7 items-center gap-2 px-4 text-12">
            <span className="w-[calc(64px*var(--u))] flex-none font-mono" title={labelHidden(commit.hash)}>
              {commit.hash.slice(0, 7)}
            </span>
            <Place place={commit}>
              <VisibleText text={commit.subject ?? "A commit"} />
            </Place>
            <span
              className="max-w-1/2 flex-none truncate text-11 text-fg-3 tabular-nums max-sm:hidden"
              title={labelHidden(commitWords(commit, nowMs))}
            >
              {commitWords(commit, nowMs)}
            </span>
            <CopyButton text={commit.hash} label={`Copy ${commit.hash.slice(0, 7)}`} className="h-5" />
          </li>
        ))}
        {pullRequests.map((request) => (
          <li
            key={`${request.recordId}.${request.number}`}
            className="flex min-h-7 items-center gap-2 px-4 text-12"
          >
            <span className="w-16 flex-none tabular-nums">#{request.number}</span>
            <Place place={request}>
              <VisibleText text={request.repository ?? request.url ?? "A pull request"} />
            </Place>
            <span className="flex-none text-11 text-fg-3 tabular-nums max-sm:hidden">
              {request.turn > 0 && `turn ${request.turn}`}
            </span>
            {request.url && <CopyButton text={request.url} label="Copy the address" className="h-5" />}
          </li>
        ))}
      </ul>
      {!isGuest && last && (
        <p className="flex flex-wrap items-center gap-2 px-4 py-1.5 text-12 text-fg-2">
          Name this session in a commit:
          <CopyButton text={trailer} label="Copy the trailer">
            Copy trailer
          </CopyButton>
          <CopyButton text={`git notes add -m "${trailer}" ${last.hash}`} label="Copy the git note">
            Copy git note
          </CopyButton>
        </p>
      )}
    </>
  );
}

/** Where and when a commit was made. */
function commitWords({ how, ref, pushedTo, turn, atMs }: SessionCommit, nowMs: number): string {
  return [
    turn > 0 && `turn ${turn}`,
    atMs !== null && formatMoment(atMs, nowMs),
    HOW[how],
    ref,
    pushedTo !== null && `pushed to ${pushedTo}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The way to the call that named it. */
function Place({ place, children }: { place: FileStepPlace; children: React.ReactNode }) {
  const { store } = useSessionPage();
  return (
    <button
      type="button"
      title="Go to the call"
      onClick={() =>
        closeDialogAnd(() => {
          store.views.leaveForStep(place);
          // The thread may have been there all along, below the dialog.
          store.views.reachGoal();
        })
      }
      className="min-w-0 flex-1 truncate text-left text-accent hover:underline"
    >
      {children}
    </button>
  );
}
