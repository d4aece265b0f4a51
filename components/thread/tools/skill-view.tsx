import { CodeBlock } from "@/components/content/code/code-block";
import { fieldsOf, resultText, textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import { FactsList } from "@/components/thread/facts-list";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

/** Skill, SlashCommand: which was started and with what; its instructions follow as context. */
export function SkillView({ row, call }: ToolViewProps) {
  const { input } = call;
  const structured = call.results[0]?.structured;
  const command = textField(input, "command");
  const name = textField(structured, "commandName") ?? textField(input, "skill");
  const args = textField(input, "args") ?? command?.replace(/^\/\S+\s*/, "") ?? null;
  const started = fieldsOf(structured).success === true;
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          <span>{command ? "slash command" : "skill"}</span>
          {started && <span>started</span>}
          {name && (
            <span className="truncate font-mono">
              <VisibleText text={name} />
            </span>
          )}
        </>
      }
      copy={{ label: "Copy", text: command ?? [name, args].filter(Boolean).join(" ") }}
      wrappable
    >
      {command ? (
        <CodeBlock text={command} firstLine={null} language={null} />
      ) : (
        <FactsList
          facts={[
            ["skill", name],
            ["with", args],
          ]}
        />
      )}
      {started && /^Launching \w+/.test(resultText(call).text) ? (
        <p className="border-t border-line px-3 py-1 text-12 text-fg-3">
          Its instructions went to the model as the next context row (Everything shows it).
        </p>
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedBlock>
  );
}
