import { clsx } from "clsx";
import { GitBranch, Search, X } from "lucide-react";
import { HeadMarks } from "@/components/annotations/session-marks";
import { VisibleText } from "@/components/content/text/visible-text";
import { LivePill } from "@/components/live/live-pill";
import { costLines } from "@/components/session/about/session-facts";
import { ResumeButton } from "@/components/session/resume-button";
import { ShareButton } from "@/components/share/share-button";
import { CopyButton, IconButton } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { printKey } from "@/components/ui/keys";
import { Link } from "@/components/ui/link";
import { KeptTag, LogGoneTag } from "@/components/ui/marks";
import { LibraryLink } from "@/components/ui/page-link";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useIsGuest } from "@/lib/client/connection/token";
import {
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatModel,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import { folderName, shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionId } from "@/lib/wire/ids";
import { totalTokens } from "@/lib/wire/library";
import { failedCalls } from "@/lib/wire/library-columns";
import type { SessionDetail } from "@/lib/wire/session";
import { ViewTabs } from "./view-tabs";

/** The bar at the head of a session: whose it is, what it is called, and its facts. */
export function SessionTop({
  session,
  sessionId,
  onGraph,
}: {
  session: SessionDetail | null;
  sessionId: SessionId;
  onGraph: () => void;
}) {
  const project = session ? folderName(session.project.path) : null;
  const title = shownTitle(session?.title);
  const isGuest = useIsGuest();
  return (
    <>
      {!isGuest && <LibraryLink back />}
      {/* Its width is there before that of the facts; it has more where they leave some, and less where it is short. */}
      <div className="flex max-w-max flex-[1000_0_160px] items-center gap-2 overflow-hidden max-sm:max-w-none max-sm:flex-1 max-sm:flex-col max-sm:items-start max-sm:gap-0 md:basis-[220px] lg:basis-[280px]">
        {session && (
          // Of this box a short title leaves little: a project’s name of usual length is read whole beside it, too.
          <span className="flex max-w-[max(40%,72px)] flex-none items-center gap-2 max-sm:hidden md:max-w-[max(40%,100px)] lg:max-w-[max(40%,136px)]">
            {isGuest ? (
              <span className="truncate text-fg-2">{project && <VisibleText text={project} />}</span>
            ) : (
              <Link
                href={`/?project=${encodeURIComponent(session.projectId)}`}
                prefetch={false}
                className="truncate text-fg-2 -outline-offset-2! hover:text-fg"
                title={labelHidden(session.project.path)}
              >
                {project && <VisibleText text={project} />}
              </Link>
            )}
            <span className="text-fg-3">/</span>
          </span>
        )}
        <h1 className="max-w-full min-w-0 truncate font-semibold" title={labelHidden(title)}>
          {session ? (
            <VisibleText text={title} />
          ) : (
            <span className="text-fg-3">{sessionId.slice(0, 8)}</span>
          )}
        </h1>
        {session && (
          <span className="hidden max-w-full truncate text-11 text-fg-2 max-sm:block">
            {[project, session.gitBranch, formatTokens(session.tokens), costOf(session)]
              .filter(Boolean)
              .join(" · ")}
          </span>
        )}
      </div>
      {session && !isGuest && <HeadMarks id={sessionId} marks={session.marks} />}
      {session?.logGone && <LogGoneTag />}
      {session?.storage === "archive" && <KeptTag />}
      {session && <Facts session={session} />}
      <span className="flex-1 max-sm:hidden" />
      <ViewTabs onGraph={onGraph} />
      <LivePill sessionId={sessionId} />
      {!isGuest && session?.restoreCommand && (
        <CopyButton text={session.restoreCommand} label="Copy restore command" className="max-lg:hidden">
          Restore
        </CopyButton>
      )}
      {!isGuest && session && <ResumeButton {...session} className="max-lg:hidden" />}
      {/* Its room, so that the views don't move from under the pointer when the facts arrive. */}
      {!isGuest && !session && (
        <span aria-hidden="true" className="invisible max-lg:hidden">
          <ResumeButton resumeCommand="" resumeProblem={null} />
        </span>
      )}
      <span className="flex max-sm:hidden">
        <ShareButton compact />
      </span>
      <IconButton
        icon={Search}
        small
        label="Search or go to"
        keys={printKey("mod+k")}
        onClick={() => openPageDialog("go-to")}
      />
    </>
  );
}

function Facts({ session }: { session: SessionDetail }) {
  const { gitBranch, models, startedAtMs, lastActiveAtMs, tokens, counts } = session;
  const [model, ...others] = models;
  const errors = failedCalls(counts);
  const shared = session.shared ? totalTokens(session.shared.usage) : 0;
  const lasted = startedAtMs !== null && lastActiveAtMs !== null ? lastActiveAtMs - startedAtMs : null;
  const item = "inline-flex items-center gap-1 whitespace-nowrap";
  return (
    // Where there is no room beside the title, whole facts wrap out of a box of one line: the row is reversed, so that
    // tokens and errors, which stand last, come first and stay.
    <div className="flex h-[1lh] min-w-0 flex-[0_1_auto] flex-row-reverse flex-wrap items-center justify-end gap-x-3 overflow-hidden text-12 text-fg-2 tabular-nums max-sm:hidden">
      {/* Of no width: behind it a fact that is wider than the box wraps, too. */}
      <span aria-hidden="true" className="-ml-3 h-[1lh]" />
      {counts.unreadable > 0 && (
        <span className={`${item} text-warn`}>{formatCount(counts.unreadable)} unreadable</span>
      )}
      {errors > 0 && (
        <span className={`${item} text-err`} title={formatPlural(errors, "tool error")}>
          <Icon of={X} small />
          {formatCount(errors)}
          <span className="sr-only"> {errors === 1 ? "tool error" : "tool errors"}</span>
        </span>
      )}
      {tokens !== null && tokens > 0 && (
        <span
          className={item}
          title={[tokenWords(tokens, shared), ...tierWords(session.serviceTiers)].join("\n")}
        >
          {formatTokens(tokens)}
          {shared > 0 && <span className="text-fg-3">{`· ${formatCompact(tokens - shared)} own`}</span>}
        </span>
      )}
      {costOf(session) && (
        <span className={clsx(item, "max-lg:hidden")} title={labelHidden(costWords(session))}>
          {costOf(session)}
        </span>
      )}
      {lasted !== null && lasted > 0 && <span className={item}>{formatDuration(lasted)}</span>}
      {model && (
        <span className={item} title={labelHidden(models.join(", "))}>
          {formatModel(model)}
          {others.length > 0 && ` +${others.length}`}
        </span>
      )}
      {gitBranch && (
        <span className={`${item} max-w-full`} title={labelHidden(gitBranch)}>
          <Icon of={GitBranch} small />
          <span className="max-w-40 truncate font-mono">
            <VisibleText text={gitBranch} />
          </span>
        </span>
      )}
    </div>
  );
}

/** `$0.98`, or null where the log has no usage. */
function costOf({ tokens, cost }: SessionDetail): string | null {
  return tokens && cost ? formatCost(cost.microUsd, cost.unpricedTokens) : null;
}

/** What a session would have cost, in full: where its figure comes from, and what the client says. */
function costWords(session: SessionDetail): string {
  return costLines(session)
    .map(({ name, amount, about }) => `${name}: ${amount}. ${about}.`)
    .join("\n");
}

function tokenWords(tokens: number, shared: number): string {
  const all = `${formatCount(tokens)} tokens, each message once, agents included`;
  if (shared === 0) return all;
  return `${all}; ${formatCount(shared)} of them in messages shared with other sessions`;
}

/** Which service tiers answered, where one is not the usual. */
function tierWords(tiers: SessionDetail["serviceTiers"]): string[] {
  const names = Object.keys(tiers);
  if (names.every((name) => name === "standard")) return [];
  return names.map((name) => `${formatPlural(tiers[name] ?? 0, "message")} of service tier ${name}`);
}
