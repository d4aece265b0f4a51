import { CommandLine } from "@/components/ui/button";
import { useHealth } from "@/lib/client/use-health";
import { SettingSection } from "./setting-section";

/** The command that lets Claude Code search and read these sessions. */
export function AssistantSetting() {
  const command = useHealth().data?.assistantCommand;
  // An older server sends none.
  if (!command) return null;
  return (
    <SettingSection heading="Assistants">
      <div className="grid grid-cols-[168px_minmax(0,1fr)] items-baseline gap-x-4 px-4 py-1.5 max-sm:grid-cols-1 max-sm:gap-y-1">
        <span>Connect Claude Code</span>
        <span className="flex min-w-0 flex-col gap-1.5">
          <CommandLine command={command} whole />
          <span className="text-12 text-fg-3">
            Adds an MCP server with which Claude Code searches and reads your sessions. Secrets are replaced;
            the rest goes to its model.
          </span>
        </span>
      </div>
    </SettingSection>
  );
}
