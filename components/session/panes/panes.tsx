import { clsx } from "clsx";
import { Fragment } from "react";
import { CommentsPane } from "@/components/session/comments/comments-pane";
import { FileList } from "@/components/session/outline/file-list";
import { RECORD_PANES } from "@/components/session/session-parts";
import { useSessionPage } from "@/components/session/session-store";
import { listsChanges } from "@/components/session/views-of-session";
import { PartFault } from "@/components/ui/part-fault";
import { SkeletonRows } from "@/components/ui/states";
import {
  type Pane,
  paneName,
  parsePanePlaces,
  parsePanes,
  type ThreadUrl,
  viewOf,
} from "@/lib/client/address/session-url";
import { usePagePart } from "@/lib/client/page-part";
import type { AgentId, RecordId } from "@/lib/wire/ids";
import { AgentPane, type LinkedPane } from "./agent-pane";
import { PaneFrame } from "./pane-frame";
import { heightShareOf, paneColumns, usePaneSizes, withPart } from "./pane-sizes";
import { Splitter, StackSplitter } from "./splitters";

const NAMES = { agents: "Agents beside the thread", facts: "Facts beside the thread" } as const;

/** What stands beside the thread, as the address lists it: agents in one column, facts about them in another. */
export function Panes() {
  const { url, choice, store } = useSessionPage();
  const { sizes, resize, keep } = usePaneSizes();
  // Comments stand beside the changes as well, and nowhere twice.
  const listed = parsePanes(url.panes).filter(({ kind }) => kind !== "comments" || !listsChanges(url));
  const columns = paneColumns(listed);
  return columns.map(({ of, width, shown }) => (
    // By what stands in it: with a new key its panes would begin anew, and what is typed there would be lost.
    // Where the page is narrow a pane lies over all of it, but not over a view that stands in the thread's place.
    <section
      key={of}
      aria-label={NAMES[of]}
      className={clsx("contents", viewOf(url) !== "thread" && "max-md:invisible")}
    >
      <Splitter
        label={`Width of the ${of}`}
        widthPx={sizes[width]}
        onResize={(px) => resize({ [width]: px })}
        onEnd={keep}
      />
      <div
        className="flex min-h-0 max-w-[60%] flex-none flex-col max-md:contents"
        style={{ width: sizes[width] }}
      >
        {shown.map((pane, index) => {
          const above = paneName(pane);
          const share = heightShareOf(sizes.shares, above);
          const next = shown[index + 1];
          const below = next === undefined ? null : paneName(next);
          return (
            <Fragment key={above}>
              <div
                className="flex min-h-16 basis-0 flex-col *:min-h-0 *:flex-1 max-md:contents"
                style={{ flexGrow: share }}
              >
                {paneOf(pane)}
              </div>
              {below !== null && (
                <StackSplitter
                  label={`Height of pane ${index + 1}`}
                  part={share / (share + heightShareOf(sizes.shares, below))}
                  onPart={(part) => resize({ shares: withPart(sizes.shares, above, below, part) })}
                  onEnd={keep}
                />
              )}
            </Fragment>
          );
        })}
      </div>
    </section>
  ));

  function paneOf(pane: Pane) {
    const onClose = () => store.panes.close(pane);
    switch (pane.kind) {
      case "agent":
        return (
          <AgentPane
            agentId={pane.id}
            detail={choice.detail}
            linked={linkedPane(url, pane.id)}
            onClose={onClose}
          />
        );
      case "comments":
        return <CommentsPane onClose={onClose} />;
      case "files":
        return <FilesPane onClose={onClose} />;
      case "record":
      case "context":
        return <RecordPanePlace kind={pane.kind} recordId={pane.id} onClose={onClose} />;
    }
  }
}

/** Where the address says that an agent's pane is read, and which rows it opens. */
function linkedPane({ paneAt, open }: ThreadUrl, agentId: AgentId): LinkedPane {
  const place = parsePanePlaces(paneAt).find(({ agent }) => agent === agentId);
  return { at: place?.at ?? null, y: place?.y ?? null, open };
}

const NAME_OF = { record: "Record", context: "Context" };

/** A pane about a record, or what stands in its place until its code is there. */
function RecordPanePlace(pane: { kind: "record" | "context"; recordId: RecordId; onClose: () => void }) {
  const { code, failed, retry } = usePagePart(RECORD_PANES, true);
  if (code) return <code.RecordPane {...pane} />;
  const name = NAME_OF[pane.kind];
  return (
    <PaneFrame label={name} onClose={pane.onClose} head={<span className="font-semibold">{name}</span>}>
      {failed ? (
        <PartFault title={`Couldn’t load the ${name.toLowerCase()}`} onRetry={retry} />
      ) : (
        <SkeletonRows count={8} label={`Loading the ${name.toLowerCase()}`} />
      )}
    </PaneFrame>
  );
}

/** The files that the session changed. */
function FilesPane({ onClose }: { onClose: () => void }) {
  const { store } = useSessionPage();
  return (
    <PaneFrame
      label="Files"
      onClose={onClose}
      head={<span className="font-semibold">Files of the session</span>}
    >
      <FileList onGo={store.goToRecord} />
    </PaneFrame>
  );
}
