import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import type { PositionStore } from "@/components/thread/thread-position";
import { threadTurns } from "@/components/thread/thread-turns";
import type { ThreadJumps } from "@/components/thread/use-thread-jumps";
import { IconButton } from "@/components/ui/icon-button";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { api } from "@/lib/client/api";
import { cx } from "@/lib/client/class-names";
import type { ThreadChoice } from "@/lib/client/thread-url";
import { formatCompact } from "@/lib/format/format-count";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";
import { AgentList } from "./agent-list";
import { FileList } from "./file-list";
import { OutlineTotals } from "./outline-totals";
import { TurnList } from "./turn-list";

type Tab = "turns" | "files" | "agents";

/** The left column of a session: its turns, files and agents, to jump by. A sheet where the page is narrow. */
export function Outline({
  sessionId,
  session,
  choice,
  position,
  sheetOpen,
  onClose,
  onGo,
}: {
  sessionId: SessionId;
  session: SessionDetail | null;
  choice: ThreadChoice;
  position: PositionStore;
  sheetOpen: boolean;
  onClose: () => void;
  onGo: ThreadJumps;
}) {
  const [tab, setTab] = useState<Tab>("turns");
  const counts = session?.counts ?? null;
  const count = (n: number | undefined) => (n === undefined ? null : formatCompact(n));
  const agents = useQuery({
    queryKey: ["agents", sessionId],
    queryFn: ({ signal }) => api.agents(sessionId, { limit: 200 }, { signal }),
    enabled: (counts?.agents ?? 0) > 0,
  });
  return (
    <aside
      aria-label="Outline"
      className={cx(
        "relative flex flex-col border-r border-line-2 bg-panel",
        "max-md:fixed max-md:inset-x-0 max-md:top-(--bar) max-md:bottom-0 max-md:z-20 max-md:border-r-0",
        !sheetOpen && "max-md:hidden",
      )}
    >
      <IconButton
        icon={X}
        label="Close"
        className="absolute! top-1 right-2 z-1 md:hidden"
        onClick={onClose}
      />
      <Tabs
        label="Outline"
        value={tab}
        onChange={setTab}
        className="flex min-h-0 flex-1 flex-col"
        tabs={[
          { value: "turns", label: "Turns", count: count(threadTurns(session, choice) ?? counts?.turns) },
          { value: "files", label: "Files", count: count(counts?.files) },
          { value: "agents", label: "Agents", count: count(counts?.agents) },
        ]}
      >
        <TabPanel value="turns" className="min-h-0 flex-1">
          <TurnList
            revision={session?.revision ?? 0}
            key={`${choice.branch}|${choice.agent}`}
            sessionId={sessionId}
            choice={choice}
            position={position}
            agents={agents.data?.agents ?? []}
            onGo={(go) => {
              onClose();
              go(onGo);
            }}
          />
        </TabPanel>
        <TabPanel value="files" className="min-h-0 flex-1">
          <FileList
            sessionId={sessionId}
            root={session?.project.path ?? null}
            onGo={(recordId) => {
              onClose();
              void onGo.toRecord(recordId);
            }}
          />
        </TabPanel>
        <TabPanel value="agents" className="min-h-0 flex-1 overflow-auto py-1">
          <AgentList
            agents={agents.data?.agents ?? []}
            more={agents.data?.nextCursor != null}
            onGo={(recordId) => {
              onClose();
              void onGo.toRecord(recordId);
            }}
          />
        </TabPanel>
      </Tabs>
      {session && <OutlineTotals sessionId={sessionId} session={session} />}
    </aside>
  );
}
