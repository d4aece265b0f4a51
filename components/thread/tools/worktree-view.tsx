import { resultText, textField } from "@/components/content/log-values";
import { shortenPath } from "@/components/content/text/shorten-path";
import { CallFacts } from "@/components/thread/call-facts";
import { FactsList } from "@/components/thread/facts-list";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

const ENDS = new Map([
  ["keep", "left, its work kept"],
  ["remove", "left and removed"],
]);

/** EnterWorktree, ExitWorktree: where the session works from here on. */
export function WorktreeView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  const path = textField(structured, "worktreePath");
  const back = textField(structured, "restoredCwd") ?? textField(structured, "originalCwd");
  const action = textField(structured, "action") ?? textField(call.input, "action");
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          <CallFacts row={row} />
          {path && <span>{action ? (ENDS.get(action) ?? action) : "entered"}</span>}
        </>
      }
      copy={{ label: "Copy path", text: path ?? resultText(call).text }}
    >
      {path ? (
        <FactsList
          facts={[
            ["branch", textField(structured, "worktreeBranch")],
            ["folder", shortenPath(path, null)],
            ["back in", back && shortenPath(back, null)],
          ]}
        />
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedBlock>
  );
}
