import { TriangleAlert } from "lucide-react";
import type { QueryProblem } from "@/lib/wire/search";
import { Icon } from "./icon";

/** Problems in a query: the position, the offending part, the reason, and how it was treated. */
export function ProblemLines({ query, problems }: { query: string; problems: readonly QueryProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className="border-b border-warn text-12">
      {problems.map(({ from, to, message }) => (
        <li
          key={`${from} ${message}`}
          className="flex min-h-7 items-center gap-x-2 px-3 py-1 text-warn max-sm:flex-wrap"
        >
          <Icon of={TriangleAlert} small />
          <span className="flex-none tabular-nums">character {from + 1}</span>
          <code className="max-w-60 flex-none truncate rounded-1 bg-raised px-1 font-mono text-fg">
            {query.slice(from, to) || "the end"}
          </code>
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere] max-sm:basis-full">
            {message}
            <span className="text-fg-3"> · searched as plain text</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
