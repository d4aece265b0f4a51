import { CheckField, Field, type SegmentChoice, Segmented } from "@/components/ui/field";
import { formatPlural } from "@/lib/format/format";
import type { BranchId, RecordId } from "@/lib/wire/ids";

/** What of a session goes into an export, as the reader has set it. `from` and `to` as they were typed. */
export type ExportPart = {
  what: "whole" | "branch" | "turns" | "selection";
  from: string;
  to: string;
} & Record<Content, boolean>;

/** What can be left out of it, in the order of the dialog. */
const CONTENTS = { thinking: "Thinking", tools: "Tool calls", agents: "Agents", images: "Images" };

type Content = keyof typeof CONTENTS;

export const WHOLE_SESSION: ExportPart = {
  what: "whole",
  from: "",
  to: "",
  thinking: true,
  tools: true,
  agents: true,
  images: true,
};

/**
 * The branch that is read. `id`: null for the active one; `turns`: null where it is not known how many it has; `turn`: the
 * one that the reader is at, null where that is none of the branch.
 */
export type ReadBranch = { id: BranchId | null; turns: number | null; turn: number | null; isOnly: boolean };

/** The rows that the reader has selected: the records of the first and the last. */
export type ReadSelection = { from: RecordId; to: RecordId; rows: number };

/** The query of a part; null where its turns are none that the branch has, or nothing is selected any more. */
export function queryOfPart(
  { what, from, to, ...contents }: ExportPart,
  branch: ReadBranch,
  selection: ReadSelection | null,
): Record<string, string | null> | null {
  const turns = what === "turns" ? turnsOf(from, to, branch.turns) : null;
  if ((what === "turns" && turns === null) || (what === "selection" && selection === null)) return null;
  return {
    branch: what === "whole" ? null : branch.id,
    turns,
    records: what === "selection" && selection ? `${selection.from}..${selection.to}` : null,
    ...Object.fromEntries(contentNames.map((one) => [one, isIn(contents, one) ? null : "0"])),
  };
}

const contentNames = Object.keys(CONTENTS) as Content[];

/** Agents go with the calls that start them. */
function isIn(part: Record<Content, boolean>, content: Content): boolean {
  return part[content] && (content !== "agents" || part.tools);
}

/** The turns that are offered first: those that were typed, else the one that is read. */
function turnsAt({ from, to }: ExportPart, { turn }: ReadBranch): Pick<ExportPart, "from" | "to"> {
  const isTyped = from !== "" || to !== "" || turn === null;
  return isTyped ? { from, to } : { from: String(turn), to: String(turn) };
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
        onChange={(what) => onChange({ ...part, what, ...(what === "turns" ? turnsAt(part, branch) : {}) })}
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
      <span className="flex flex-wrap gap-x-4 gap-y-1">
        {contentNames.map((one) => (
          <CheckField
            key={one}
            checked={isIn(part, one)}
            disabled={one === "agents" && !part.tools}
            onChange={(isKept) => onChange({ ...part, [one]: isKept })}
          >
            {CONTENTS[one]}
          </CheckField>
        ))}
      </span>
    </div>
  );
}
