import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Icon } from "@/components/ui/icon";
import { formatCount } from "@/lib/format/format-count";
import type { MessagesResponse } from "@/lib/wire/messages";

/** Where the messages come from and how sure they are; opened, what that means. */
export function ContextSource({ response }: { response: MessagesResponse }) {
  const [open, setOpen] = useState(false);
  const { verdict, aside, how, sure } = sourceWords(response);
  return (
    <div className="border-t border-line bg-panel text-12">
      <div className="flex min-h-7 items-center gap-2 px-3">
        <span className="font-semibold">{verdict}</span>
        <span className={`min-w-0 flex-1 truncate ${sure ? "text-fg-3" : "text-warn"}`}>{aside}</span>
        <button
          type="button"
          aria-expanded={open}
          className="flex flex-none items-center gap-1 text-accent hover:underline"
          onClick={() => setOpen(!open)}
        >
          How
          <Icon of={open ? ChevronDown : ChevronRight} small />
        </button>
      </div>
      {open && <p className="max-w-measure px-3 pb-2 text-fg-2">{how}</p>}
    </div>
  );
}

function sourceWords({ source, verified }: MessagesResponse) {
  if (source === "rebuilt") {
    return {
      verdict: "Rebuilt from the records",
      aside: "without reminders, system prompt and tools",
      how: "This client did not log its requests. The messages are put together from the session’s records by the rules that the client follows: the branch that leads here, what a compaction kept, results in the order of their calls. What the client added on the way, and never logged, is missing.",
      sure: true,
    };
  }
  const whole = verified !== undefined && verified.matched === verified.total;
  return {
    verdict: verified
      ? `Recorded, ${formatCount(verified.matched)} of ${formatCount(verified.total)} hashes verified`
      : "Recorded",
    aside: whole ? "against the request the client logged" : "the rest differs from what was hashed",
    how: "The client logged this request: a hash for every message and one for the system prompt, tools and parameters. Each hash was computed again from what the log holds and compared.",
    sure: whole || verified === undefined,
  };
}
