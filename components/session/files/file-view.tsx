import { clsx } from "clsx";
import { useCallback, useMemo, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { nameOfAgent, useAgents } from "@/components/session/use-agents";
import { Button } from "@/components/ui/button";
import { DetailState } from "@/components/ui/states";
import { useKeys } from "@/lib/client/key-registry";
import { useMedia } from "@/lib/client/use-media";
import type { FileVersion } from "@/lib/wire/files";
import { FileText } from "./file-text";
import { FileTop } from "./file-top";
import { otherThan, useFileVersions } from "./file-versions";
import { ReadPanel } from "./read-panel";
import { Scrubber } from "./scrubber";
import { TakeVersion } from "./take-version";
import { useStable } from "./use-stable";
import { VersionList } from "./version-list";
import type { LaneOf, NameOf } from "./version-mark";
import { useShownVersion, useVersionWalk, type Walked } from "./version-walk";

/** Below this width there is no room for two views of a file side by side. */
const PANEL_WIDTH = "(width >= 1100px)";

/** A file of the session at any of its versions, with who wrote its lines and what changed. */
export function FileView({ path }: { path: string }) {
  const { sessionId, session, url, setUrl, store } = useSessionPage();
  const query = useFileVersions(sessionId, path, session?.revision ?? null);
  const versions = query.data ?? NONE;
  const write = useStable((index: number) => {
    const id = versions[index]?.id;
    if (id) setUrl({ version: index === versions.length - 1 ? null : id }, "late");
  });
  const walked = useVersionWalk(versions, url.version, write);
  const { walk } = walked;
  const compared = versions.findIndex(({ id }) => id === url.against);
  const marks = useAgentMarks(versions);
  const isWide = useMedia(PANEL_WIDTH);
  const showsPanel = isWide || url.against !== null;
  const [showsBlame, setShowsBlame] = useState(true);
  const compare = useStable((index: number) => setUrl({ against: versions[index]?.id ?? null }, "replace"));
  const closePanel = useStable(() => setUrl({ against: null }, "replace"));
  const goToRow = () => {
    const version = versions[walk.at()];
    if (version) store.views.leaveForStep(version);
  };
  const toggleBlame = () => setShowsBlame(!showsBlame);
  useFileKeys(walked, compared, { compare, toggleBlame, goToRow, close: store.views.closeFile });
  return (
    <section aria-label="File" className="grid h-full grid-rows-[auto_minmax(0,1fr)] [contain:strict]">
      <FileTop path={path} walked={walked} nameOf={marks.nameOf} onRow={versions.length > 0 ? goToRow : null}>
        {versions.length > 0 && !isWide && (
          <DiffButton walked={walked} compared={compared} pressed={showsPanel} onOther={compare} />
        )}
        <Button pressed={showsBlame} onClick={toggleBlame}>
          Blame
        </Button>
        {versions.length > 0 && <TakeVersion path={path} walked={walked} />}
      </FileTop>
      {!query.data ? (
        <div className="p-3">
          <DetailState query={query} />
        </div>
      ) : versions.length === 0 ? (
        <p className="p-6 text-fg-2">
          The logs hold no text of this file: it was not there, or was only looked at as a picture.
        </p>
      ) : (
        <div
          className={clsx(
            "grid min-h-0",
            isWide
              ? "grid-cols-[248px_minmax(0,1fr)_minmax(340px,28%)]"
              : "grid-cols-1 md:grid-cols-[220px_minmax(0,1fr)]",
          )}
        >
          <VersionList path={path} walked={walked} {...marks} />
          {(isWide || !showsPanel) && (
            <div className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
              <Scrubber walked={walked} compared={compared} laneOf={marks.laneOf} />
              <FileText
                path={path}
                walked={walked}
                compared={showsPanel ? compared : null}
                showsBlame={showsBlame}
                showsLine={!isWide}
                {...marks}
              />
            </div>
          )}
          {showsPanel && (
            <div className="min-h-0 min-w-0 border-l border-line-2 *:h-full max-md:border-l-0">
              <ReadPanel
                path={path}
                walked={walked}
                compared={compared}
                nameOf={marks.nameOf}
                onOther={compare}
                onClose={isWide ? null : closePanel}
              />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

/** The keys of a file's view: arrows go from version to version, with Shift those of the one compared with. */
function useFileKeys(
  { walk, versions }: Walked,
  compared: number,
  on: { compare: (index: number) => void; toggleBlame: () => void; goToRow: () => void; close: () => void },
): void {
  useKeys([
    {
      keys: ["ArrowLeft", "ArrowRight"],
      label: "version before or after (with Shift: the compared one)",
      group: "Move",
      run: ({ key, shiftKey }) => {
        const from = shiftKey ? otherThan(walk.at(), compared) : walk.at();
        const to = Math.max(0, Math.min(versions.length - 1, from + (key === "ArrowLeft" ? -1 : 1)));
        if (shiftKey) on.compare(to);
        else walk.show(to);
      },
    },
    { keys: ["b"], label: "who wrote the lines", group: "Views and panes", run: on.toggleBlame },
    { keys: ["Enter"], label: "the row that made this version", group: "Open and read", run: on.goToRow },
    { keys: ["Escape"], label: "back to the changes", group: "Views and panes", run: on.close },
  ]);
}

/** Opens and closes the comparison, where there is no room for it beside the file. */
function DiffButton({
  walked,
  compared,
  pressed,
  onOther,
}: {
  walked: Walked;
  compared: number;
  pressed: boolean;
  onOther: (index: number) => void;
}) {
  const other = otherThan(useShownVersion(walked), compared);
  if (other < 0) return null;
  return (
    <Button pressed={pressed} onClick={() => onOther(pressed ? -1 : other)}>
      Diff
    </Button>
  );
}

const NONE: readonly FileVersion[] = [];

/** Names and lanes of the agents that made versions. */
function useAgentMarks(versions: readonly FileVersion[]): { laneOf: LaneOf; nameOf: NameOf } {
  const { sessionId } = useSessionPage();
  const hasAgents = versions.some(({ agentId }) => agentId !== null);
  const { data } = useAgents(sessionId, hasAgents);
  const byId = useMemo(() => new Map(data?.agents.map((agent) => [agent.agentId, agent])), [data]);
  const laneOf = useCallback<LaneOf>(
    (agentId) => (agentId === null ? 0 : Math.max(1, byId.get(agentId)?.lane ?? 1)),
    [byId],
  );
  const nameOf = useCallback<NameOf>(
    (agentId) => {
      const agent = agentId === null ? undefined : byId.get(agentId);
      return agent ? nameOfAgent(agent) : null;
    },
    [byId],
  );
  return { laneOf, nameOf };
}
