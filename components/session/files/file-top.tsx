import { clsx } from "clsx";
import type { ReactNode } from "react";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { PageLink } from "@/components/ui/page-link";
import { Moment } from "@/components/ui/time";
import { useIsGuest } from "@/lib/client/connection/token";
import { inAddress, pathBelow } from "@/lib/format/text";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { formatStep, versionName } from "./file-versions";
import type { NameOf } from "./version-mark";
import { LINK_BUTTON } from "./version-panel";
import { useShownVersion, type Walked } from "./version-walk";

/**
 * The head of a file's view: which file and version it is, and the ways to elsewhere. `children`: what changes the view.
 * @param onRow leads to the row that made the version; `null` where there is none
 */
export function FileTop({
  path,
  walked,
  nameOf,
  onRow,
  children,
}: {
  path: string;
  walked: Walked;
  nameOf: NameOf;
  onRow: (() => void) | null;
  children: ReactNode;
}) {
  const { session, store } = useSessionPage();
  const isGuest = useIsGuest();
  const root = session?.project.path ?? null;
  return (
    <div className="flex min-h-tool items-center gap-3 border-b border-line-2 bg-panel px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums max-sm:flex-wrap max-sm:gap-x-2 max-sm:px-2">
      <Button kind="quiet" onClick={store.views.closeFile} className="max-sm:px-1">
        All files
      </Button>
      <h2 className="min-w-0 truncate font-mono text-code font-semibold text-fg" title={labelHidden(path)}>
        <VisibleText text={shortenPath(path, root)} />
      </h2>
      <ShownVersion walked={walked} nameOf={nameOf} />
      <span className="flex-1" />
      {children}
      {onRow && (
        <Button onClick={onRow} className="max-sm:hidden">
          Open row
        </Button>
      )}
      {!isGuest && (
        <PageLink
          className={clsx(LINK_BUTTON, "max-md:hidden")}
          title="All sessions that changed this file"
          href={`/files?path=${inAddress(pathInProject(path, root))}`}
        >
          All sessions
        </PageLink>
      )}
      <Button onClick={store.views.close} className="max-sm:hidden">
        Back to the thread
      </Button>
    </div>
  );
}

/** Which version the reader is at, whose it is and when it was made. */
function ShownVersion({ walked, nameOf }: { walked: Walked; nameOf: NameOf }) {
  const { versions } = walked;
  const shown = useShownVersion(walked);
  const version = versions[shown];
  if (!version) return null;
  return (
    <>
      <span className="flex-none rounded-1 border border-line-2 px-1 text-11">
        {versionName(versions, shown)} of {versionName(versions, versions.length - 1)}
      </span>
      <span className="min-w-0 truncate max-md:hidden">
        {formatStep(versions, version, nameOf(version.agentId))}
        {version.turn > 0 && ` in turn ${version.turn}`}
        {version.atMs !== null && (
          <>
            , <Moment atMs={version.atMs} />
          </>
        )}
      </span>
    </>
  );
}

/** A file's path in its project, by which other checkouts of that have it as well. */
function pathInProject(path: string, root: string | null): string {
  return (root === null ? null : pathBelow(root, path)) ?? path;
}
