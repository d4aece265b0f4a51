import { AnsiText } from "@/components/content/ansi/ansi-text";
import { VisibleText } from "@/components/content/text/visible-text";
import { refusalWords } from "./refusal-words";

/** Why a call was not run, or not to its end, and what the person said to it. */
export function Refusal({ state, text }: { state: "denied" | "interrupted"; text: string }) {
  const { said, byRule } = refusalWords(text);
  return (
    <div className="bg-panel px-3 py-1.5 text-12 text-fg-2">
      {said ? (
        <p>
          <span className="text-fg-3">You said </span>
          <span className="text-13 whitespace-pre-wrap text-fg">
            “<VisibleText text={said} />”
          </span>
        </p>
      ) : (
        <p>
          {state === "interrupted"
            ? "Stopped before it ended."
            : byRule
              ? "Refused by a rule, without asking."
              : "Not run: it was not allowed."}
        </p>
      )}
      <p className="mt-0.5 line-clamp-3 text-11 text-fg-3">
        <AnsiText text={text.slice(0, 600)} />
      </p>
    </div>
  );
}
