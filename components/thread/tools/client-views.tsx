import { clsx } from "clsx";
import { useState } from "react";
import { CodeBlock } from "@/components/content/code/code-block";
import { OutputText } from "@/components/content/code/output-text";
import { hasFailed, resultText } from "@/components/content/log-values";
import { Markdown } from "@/components/content/markdown/markdown";
import { LookButtons } from "@/components/content/text/look-buttons";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import {
  CallFacts,
  FactsList,
  OpenedBlock,
  OpenedCall,
  type ToolViewProps,
  type ToolViews,
} from "@/components/thread/opened-block";
import { formatCount, formatPlural } from "@/lib/format/format";
import { fieldsOf, listField, numberField, textField } from "@/lib/format/json-values";
import { OutputBlocks } from "./output-blocks";

/** What the user or the client itself is asked for: answers, plans, skills, worktrees, tools to load. */
export const CLIENT_VIEWS: ToolViews<"client"> = {
  AskUserQuestion: QuestionView,
  EnterPlanMode: PlanModeView,
  ExitPlanMode: PlanView,
  Skill: SkillView,
  SlashCommand: SkillView,
  EnterWorktree: WorktreeView,
  ExitWorktree: WorktreeView,
  ToolSearch: ToolSearchView,
};

const LOOKS = [
  { value: "rendered", label: "Rendered" },
  { value: "source", label: "Source" },
] as const;

/** A plan put to the person, whether they took it, and what they said. */
function PlanView({ row, call }: ToolViewProps) {
  const [look, setLook] = useState<"rendered" | "source">("rendered");
  const structured = call.results[0]?.structured;
  const plan = textField(structured, "plan") ?? textField(call.input, "plan") ?? approvedPlan(call);
  const refused = hasFailed(call);
  const path = textField(structured, "filePath") ?? textField(call.input, "planFilePath");
  const verdict = call.results.length === 0 ? null : refused ? "not accepted" : "accepted";
  return (
    <OpenedBlock
      row={row}
      facts={
        <>
          {verdict && (
            <span className={refused ? "font-semibold text-warn" : "font-semibold"}>{verdict}</span>
          )}
          <CallFacts row={{ ...row, state: verdict ? "ok" : row.state }} />
          {path && <span className="truncate font-mono text-fg-3">{shortenPath(path, call.cwd)}</span>}
        </>
      }
      actions={plan && <LookButtons looks={LOOKS} look={look} onChange={setLook} />}
      copy={{ label: "Copy plan", text: plan }}
      wrappable={look === "source"}
    >
      {!plan && (
        <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
          The plan’s text is not in the log.
        </p>
      )}
      {plan &&
        (look === "source" ? <OutputText text={plan} /> : <Markdown text={plan} className="px-3 py-2" />)}
      {(refused || call.results.length === 0) && (
        <div className="border-t border-line">
          <OutputBlocks row={refused ? { ...row, state: "denied" } : row} call={call} />
        </div>
      )}
    </OpenedBlock>
  );
}

/** From 2.0.76 on the plan can be in a file alone; the result repeats it. */
function approvedPlan(call: ToolViewProps["call"]): string {
  return /## Approved Plan[^\n]*\n([\s\S]+)$/.exec(resultText(call).text)?.[1] ?? "";
}

/** EnterPlanMode: from here on the model reads and plans, and changes nothing. */
function PlanModeView({ row, call }: ToolViewProps) {
  return (
    <OpenedCall
      row={row}
      facts={<span>plan mode</span>}
      copy={{ label: "Copy text", text: resultText(call).text }}
      wrappable
    >
      <OutputBlocks row={row} call={call} />
    </OpenedCall>
  );
}

/** Questions put to the person, their options, and which they chose. */
function QuestionView({ row, call }: ToolViewProps) {
  const questions = listField(call.input, "questions");
  const answers = fieldsOf(fieldsOf(call.results[0]?.structured).answers);
  const notes = fieldsOf(fieldsOf(call.results[0]?.structured).annotations);
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          <span>{formatPlural(questions.length, "question")}</span>
          {Object.keys(answers).length > 0 && <span>answered by the user</span>}
        </>
      }
      copy={{ label: "Copy answers", text: resultText(call).text }}
      wrappable
    >
      {questions.map((question, index) => (
        <Question key={index} question={question} answers={answers} notes={notes} />
      ))}
      {Object.keys(answers).length === 0 && <OutputBlocks row={row} call={call} />}
    </OpenedCall>
  );
}

/** One question with its options, those that were chosen marked, and what the person said or noted themselves. */
function Question({
  question,
  answers,
  notes,
}: {
  question: unknown;
  /** Answers and notes by the questions' texts. */
  answers: Readonly<Record<string, unknown>>;
  notes: Readonly<Record<string, unknown>>;
}) {
  const text = textField(question, "question") ?? "";
  const isMultiple = fieldsOf(question).multiSelect === true;
  const options = listField(question, "options").map(readOption);
  const labels = options.map(({ label }) => label);
  const { chosen, own } = readAnswer(textField(answers, text) ?? "", labels, isMultiple);
  const note = textField(notes[text], "notes") ?? textField(notes, text);
  return (
    <div className="pb-1">
      <p className="px-3 pt-2 pb-1 font-semibold">
        <VisibleText text={text} />
        {isMultiple && (
          <span data-log="none" className="ml-2 text-11 font-normal text-fg-3">
            multiple choice
          </span>
        )}
      </p>
      {options.map((option) => (
        <QuestionOption key={option.label} option={option} chosen={chosen.has(option.label)} />
      ))}
      {note && <OwnWords name="The user’s note" text={note} className="border-t border-line" />}
      {own !== "" && <OwnWords name="The user said" text={own} />}
    </div>
  );
}

function OwnWords({ name, text, className }: { name: string; text: string; className?: string }) {
  return (
    <p className={clsx("px-3 py-1", className)}>
      <span data-log="none" className="text-12 text-fg-3">
        {name}{" "}
      </span>
      <VisibleText text={text} />
    </p>
  );
}

type AnswerOption = { label: string; description: string | null; preview: string | null };

function readOption(option: unknown): AnswerOption {
  return {
    label: textField(option, "label") ?? (typeof option === "string" ? option : ""),
    description: textField(option, "description"),
    preview: textField(option, "preview"),
  };
}

function QuestionOption({
  option: { label, description, preview },
  chosen,
}: {
  option: AnswerOption;
  chosen: boolean;
}) {
  return (
    <div>
      <div
        className={clsx(
          "grid min-h-6 grid-cols-[11px_minmax(0,220px)_minmax(0,1fr)_auto] items-center gap-x-2.5 px-3 max-sm:grid-cols-[11px_minmax(0,1fr)_auto] max-sm:py-1",
          chosen ? "bg-raised font-semibold" : "text-fg-2",
        )}
      >
        <span
          className={clsx(
            "block size-2.75 rounded-full",
            chosen ? "border-[3.5px] border-fg" : "border-[1.5px] border-fg-3",
          )}
        />
        <VisibleText text={label} />
        <span className="text-12 font-normal text-fg-2 max-sm:col-start-2 max-sm:row-start-2">
          {description && <VisibleText text={description} />}
        </span>
        {chosen && (
          <span data-log="none" className="text-11 font-normal text-fg-2">
            chosen
          </span>
        )}
      </div>
      {preview && <OutputText text={preview} />}
    </div>
  );
}

/**
 * Which options an answer names, and what else the person said in it. Several choices come as one text with commas,
 * and so does what was typed beside them; labels have commas too, so the longest are looked for first.
 */
function readAnswer(
  answer: string,
  labels: readonly string[],
  isMultiple: boolean,
): { chosen: ReadonlySet<string>; own: string } {
  if (labels.includes(answer)) return { chosen: new Set([answer]), own: "" };
  const chosen = new Set<string>();
  if (!isMultiple) return { chosen, own: answer };
  let parts = [answer];
  for (const label of labels.toSorted((a, b) => b.length - a.length)) {
    const index = parts.findIndex((part) => label !== "" && placeOfChoice(part, label) !== -1);
    const part = parts[index];
    if (part === undefined) continue;
    chosen.add(label);
    const at = placeOfChoice(part, label);
    const around = [part.slice(0, Math.max(0, at - 2)), part.slice(at + label.length + 2)];
    parts = parts.toSpliced(index, 1, ...around.filter((rest) => rest !== ""));
  }
  return { chosen, own: parts.join(", ") };
}

/** Where a label stands between the commas of an answer; -1 for nowhere. */
function placeOfChoice(answer: string, label: string): number {
  return `, ${answer}, `.indexOf(`, ${label}, `);
}

/** Skill, SlashCommand: which was started and with what; its instructions follow as context. */
function SkillView({ row, call }: ToolViewProps) {
  const { input } = call;
  const structured = call.results[0]?.structured;
  const command = textField(input, "command");
  const name = textField(structured, "commandName") ?? textField(input, "skill");
  const args = textField(input, "args") ?? command?.replace(/^\/\S+\s*/, "") ?? null;
  const started = fieldsOf(structured).success === true;
  return (
    <OpenedCall
      row={row}
      facts={
        <>
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
        <p data-log="none" className="border-t border-line px-3 py-1 text-12 text-fg-3">
          Its instructions went to the model as the next context row (Everything shows it).
        </p>
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedCall>
  );
}

const ENDS = new Map([
  ["keep", "left worktree, changes kept"],
  ["remove", "left worktree, changes removed"],
]);

/** EnterWorktree, ExitWorktree: where the session works from here on. */
function WorktreeView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  const path = textField(structured, "worktreePath");
  const back = textField(structured, "restoredCwd") ?? textField(structured, "originalCwd");
  const action = textField(structured, "action") ?? textField(call.input, "action");
  return (
    <OpenedCall
      row={row}
      facts={path && <span>{action ? (ENDS.get(action) ?? action) : "entered"}</span>}
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
    </OpenedCall>
  );
}

/** ToolSearch: the tools that were loaded on demand, by name. */
function ToolSearchView({ row, call }: ToolViewProps) {
  const structured = call.results[0]?.structured;
  const names = foundNames(call);
  const total = numberField(structured, "total_deferred_tools");
  const failed = hasFailed(call);
  return (
    <OpenedCall
      row={row}
      facts={
        !failed && (
          <span>
            {total === null
              ? `${formatPlural(names.length, "tool")} loaded`
              : `${formatCount(names.length)} of ${formatPlural(total, "deferred tool")} loaded`}
          </span>
        )
      }
      copy={{ label: "Copy names", text: names.join("\n") }}
    >
      {failed || call.results.length === 0 ? (
        <OutputBlocks row={row} call={call} />
      ) : names.length === 0 ? (
        <p data-log="none" className="px-3 py-1 text-12 text-fg-3">
          No matching tools.
        </p>
      ) : (
        <ul className="py-1 font-mono text-code">
          {names.map((name) => (
            <li key={name} className="truncate px-3 leading-[22px]">
              <VisibleText text={name} />
            </li>
          ))}
        </ul>
      )}
    </OpenedCall>
  );
}

/** From the structured result, or, on agents' lines, from the `tool_reference` blocks. */
function foundNames({ results }: ToolViewProps["call"]): string[] {
  const listed = listField(results[0]?.structured, "matches").filter((name) => typeof name === "string");
  if (listed.length > 0) return listed;
  return results.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      const name = block.kind === "other" ? textField(block.json, "tool_name") : null;
      return name === null ? [] : [name];
    }),
  );
}
