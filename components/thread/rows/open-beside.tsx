import { PanelRight } from "lucide-react";
import { useThreadActions } from "@/components/content/row-actions";
import { Icon } from "@/components/ui/icon";
import type { AgentId } from "@/lib/wire/ids";

/** Opens an agent's thread beside this one. */
export function OpenBeside({ agentId, name }: { agentId: AgentId; name: string }) {
  const { openAgent } = useThreadActions();
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={`Open ${name || "the agent"} beside`}
      title="Open beside (p)"
      className="flex size-5 flex-none items-center justify-center rounded-1 text-fg-3 hover:bg-raised hover:text-fg"
      onClick={(event) => {
        event.stopPropagation();
        openAgent(agentId);
      }}
    >
      <Icon of={PanelRight} small />
    </button>
  );
}
