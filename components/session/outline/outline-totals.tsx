import { useQuery } from "@tanstack/react-query";
import { ChangedLines } from "@/components/content/text/changed-lines";
import { api } from "@/lib/client/api";
import { formatPlural } from "@/lib/format/format-count";
import type { SessionId } from "@/lib/wire/ids";
import type { SessionDetail } from "@/lib/wire/session";

/** What the session came to: lines changed, files, agents. */
export function OutlineTotals({ sessionId, session }: { sessionId: SessionId; session: SessionDetail }) {
  const { files, agents, toolCalls } = session.counts;
  const all = useQuery({
    queryKey: ["file-totals", sessionId],
    queryFn: async ({ signal }) => (await api.files(sessionId, { limit: 200 }, { signal })).files,
    enabled: files > 0 && files <= 200,
  });
  const sum = (name: "added" | "removed") => all.data?.reduce((total, file) => total + file[name], 0) ?? 0;
  return (
    <div className="flex h-tool flex-none items-center gap-2 border-t border-line px-3 text-12 whitespace-nowrap text-fg-2 tabular-nums">
      <ChangedLines added={sum("added")} removed={sum("removed")} />
      <span>{files > 0 ? formatPlural(files, "file") : formatPlural(toolCalls, "tool call")}</span>
      <span className="flex-1" />
      {agents > 0 && <span className="text-fg-3">{formatPlural(agents, "agent")}</span>}
    </div>
  );
}
