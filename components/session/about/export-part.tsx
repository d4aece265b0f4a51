import { CheckField, Field, type SegmentChoice, Segmented } from "@/components/ui/field";
import { formatPlural } from "@/lib/format/format";
import type { BranchId, RecordId } from "@/lib/wire/ids";

/** What of a session goes into an export, as the reader has set it. `from` and `to` as they were typed. */
export type ExportPart = {
  what: "whole" | "branch" | "turns" | "selection";
  from: string;
  to: string;
  thinking: boolean;
  tools: boolean;
};

export const WHOLE_SESSION: ExportPart = { what: "whole", from: "", to: "", thinking: true, tools: true };

/** The branch that is read. `id`: null for the active one; `turns`: null where it is not known how many it has. */
export type ReadBranch = { id: BranchId | null; turns: number | null; isOnly: boolean };

/** The rows that the reader has selected: the records of the first and the last. */
export type ReadSelection = { from: RecordId; to: RecordId; rows: number };

/** The query of a part; null where its turns are none that the branch has, or nothing is selected any more. */
export function queryOfPart(
  { what, from, to, thinking, tools }: ExportPart,
  branch: ReadBranch,
  selection: ReadSelection | null,
): Record<string, string | null> | null {
  const turns = what === "turns" ? turnsOf(from, to, branch.turns) : null;
  if ((what === "turns" && turns === null) || (what === "selection" && selection === null)) return null;
  return {
    branch: what === "whole" ? null : branch.id,
    turns,
    records: what === "selection" && selection ? `${selection.from}..${selection.to}` : null,
    thinking: thinking ? null : "0",
    tools: tools ? null : "0",
  };
}

function turnsOf(from: string, to: string, most: number | null): string | null {
  const [first, last] = [from || "1", to || String(most ?? "")].map((text) =>
    /^[1-9]\d{0,6}$/.test(text.trim()) ? Number(text) : Number.NaN,
  ) as [number, number];
  return first <= last && last <= (most ?? Number.POSITIVE_INFINITY) ? `${first}-${last}` : null;
}

/** Chooses what of a session is exported: all of it, the branch that is read or turns of that, and what is left out. */
export function ExportPartFields({
  part,
  branch,
  selection,
  onChange,
}: {
  part: ExportPart;
  branch: ReadBranch;
  selection: ReadSelection | null;
  onChange: (part: ExportPart) => void;
}) {
  const choices: SegmentChoice<ExportPart["what"]>[] = [
    { value: "whole", label: "Whole session" },
    ...(branch.isOnly ? [] : [{ value: "branch" as const, label: "This branch" }]),
    { value: "turns", label: "Turns" },
    ...(selection ? [{ value: "selection" as const, label: formatPlural(selection.rows, "row") }] : []),
  ];
  const isWrong = queryOfPart(part, branch, selection) === null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 text-12">
      <Segmented
        label="What of the session"
        choices={choices}
        value={part.what}
        onChange={(what) => onChange({ ...part, what })}
      />
      {part.what === "turns" ? (
        <span className="flex items-center gap-2">
          {(["from", "to"] as const).map((end) => (
            <Field
              key={end}
              label={end === "from" ? "First turn" : "Last turn"}
              inputMode="numeric"
              placeholder={end === "from" ? "1" : String(branch.turns ?? "")}
              value={part[end]}
              aria-invalid={isWrong}
              className="w-16"
              onChange={(event) => onChange({ ...part, [end]: event.target.value })}
            />
          ))}
          {isWrong ? (
            <span role="alert" className="text-err">
              {branch.turns === null ? "Two numbers, the first one first" : `Turns are 1 to ${branch.turns}`}
            </span>
          ) : null}
        </span>
      ) : null}
      <span className="flex gap-4">
        <CheckField checked={part.thinking} onChange={(thinking) => onChange({ ...part, thinking })}>
          Thinking
        </CheckField>
        <CheckField checked={part.tools} onChange={(tools) => onChange({ ...part, tools })}>
          Tool calls
        </CheckField>
      </span>
    </div>
  );
}
