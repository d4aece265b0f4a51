import { Search } from "lucide-react";
import { HeadMarks } from "@/components/annotations/session-marks";
import { VisibleText } from "@/components/content/text/visible-text";
import { LivePill } from "@/components/live/live-pill";
import { ResumeButton } from "@/components/session/resume-button";
import { ShareButton } from "@/components/share/share-button";
import { CopyButton, IconButton } from "@/components/ui/button";
import { printKey } from "@/components/ui/keys";
import { Link } from "@/components/ui/link";
import { KeptTag, LogGoneTag } from "@/components/ui/marks";
import { LibraryLink } from "@/components/ui/page-link";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useIsGuest } from "@/lib/client/connection/token";
import { formatTokens } from "@/lib/format/format";
import { folderName, shownTitle } from "@/lib/format/shown-name";
import { labelHidden } from "@/lib/markup/hidden-characters";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { useListedTitle } from "../use-listed-title";
import { costOf, HeadFacts } from "./head-facts";
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
  const listedTitle = useListedTitle(sessionId);
  const named = session?.title ?? listedTitle;
  const title = shownTitle(named);
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
        <h1
          className="max-w-full min-w-0 truncate font-semibold"
          title={named === null ? undefined : labelHidden(title)}
        >
          {named === null ? (
            <span className="text-fg-3">{sessionId.slice(0, 8)}</span>
          ) : (
            <VisibleText text={title} />
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
      {session && <HeadFacts session={session} />}
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
