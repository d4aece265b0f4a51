import { fieldsOf, listField, resultText, textField } from "@/components/content/log-values";
import { VisibleText } from "@/components/content/text/visible-text";
import { CallFacts } from "@/components/thread/call-facts";
import type { ToolViewProps } from "@/components/thread/tool-view-props";
import { cx } from "@/lib/client/class-names";
import { formatPlural } from "@/lib/format/format-count";
import { OpenedBlock } from "../opened-block";
import { OutputBlocks } from "./output-blocks";

/** Questions put to the person, their options, and which they chose. */
export function QuestionView({ row, call }: ToolViewProps) {
  const questions = listField(call.input, "questions");
  const answers = fieldsOf(fieldsOf(call.results[0]?.structured).answers);
  const notes = fieldsOf(fieldsOf(call.results[0]?.structured).annotations);
  return (
    <OpenedBlock
      row={row}
      facts={
        <CallFacts row={row}>
          <span>{formatPlural(questions.length, "question")}</span>
          {Object.keys(answers).length > 0 && <span>answered by you</span>}
        </CallFacts>
      }
      copy={{ label: "Copy answers", text: resultText(call).text }}
      wrappable
    >
      {questions.map((question, index) => {
        const text = textField(question, "question") ?? "";
        const answer = answers[text];
        const chosen = typeof answer === "string" ? answer : null;
        const options = listField(question, "options").map((option) => ({
          label: textField(option, "label") ?? (typeof option === "string" ? option : ""),
          description: textField(option, "description"),
        }));
        const note = textField(notes[text], "notes") ?? textField(notes, text);
        const own = chosen !== null && !options.some(({ label }) => isChosen(chosen, label));
        return (
          <div key={index} className="pb-1">
            <p className="px-3 pt-2 pb-1 font-semibold">
              <VisibleText text={text} />
              {fieldsOf(question).multiSelect === true && (
                <span className="ml-2 text-11 font-normal text-fg-3">several may be chosen</span>
              )}
            </p>
            {options.map(({ label, description }) => {
              const on = chosen !== null && isChosen(chosen, label);
              return (
                <div
                  key={label}
                  className={cx(
                    "grid min-h-6 grid-cols-[11px_minmax(0,220px)_minmax(0,1fr)_auto] items-center gap-x-2.5 px-3 max-sm:grid-cols-[11px_minmax(0,1fr)_auto] max-sm:py-1",
                    on ? "bg-raised font-semibold" : "text-fg-2",
                  )}
                >
                  <span
                    className={cx(
                      "block size-2.75 rounded-full",
                      on ? "border-[3.5px] border-fg" : "border-[1.5px] border-fg-3",
                    )}
                  />
                  <VisibleText text={label} />
                  <span className="text-12 font-normal text-fg-2 max-sm:col-start-2 max-sm:row-start-2">
                    {description && <VisibleText text={description} />}
                  </span>
                  {on && <span className="text-11 font-normal text-fg-2">chosen</span>}
                </div>
              );
            })}
            {note && (
              <p className="border-t border-line px-3 py-1">
                <span className="text-12 text-fg-3">Your note </span>
                <VisibleText text={note} />
              </p>
            )}
            {own && chosen && (
              <p className="px-3 py-1">
                <span className="text-12 text-fg-3">You said </span>
                <VisibleText text={chosen} />
              </p>
            )}
          </div>
        );
      })}
      {Object.keys(answers).length === 0 && <OutputBlocks row={row} call={call} />}
    </OpenedBlock>
  );
}

/** Several choices come as one text with commas. */
function isChosen(answer: string, label: string): boolean {
  return answer === label || answer.split(", ").includes(label);
}
