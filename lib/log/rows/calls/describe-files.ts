import { formatCount, formatPlural } from "@/lib/format/format";
import { asArray, asNumber, asObject, asString } from "@/lib/log/records/json";
import { type CallLine, type DescribedCall, type Describers, shortPath } from "./call-facts";

/** Calls that read, change or list files, or look for something in them. */
export const FILE_DESCRIBERS: Describers<"files" | "search"> = {
  Read: describeRead,
  NotebookRead: describeNotebook,
  Write: describeWrite,
  Edit: describeEdit,
  MultiEdit: describeMultiEdit,
  NotebookEdit: describeNotebook,
  LS: describeList,
  Glob: describeGlob,
  Grep: describeGrep,
};

/** A file that was read: which lines, and of how many. */
function describeRead(facts: DescribedCall): CallLine {
  const { input, cwd } = facts;
  const offset = asNumber(input.offset);
  const limit = asNumber(input.limit);
  const pages = asString(input.pages);
  const aside =
    offset !== null || limit !== null
      ? `${offset ?? 1}–${limit === null ? "" : (offset ?? 1) + limit - 1}`
      : pages && `pages ${pages}`;
  return { subject: shortPath(asString(input.file_path), cwd), aside, result: readOutcome(facts) };
}

function readOutcome(facts: DescribedCall): string | null {
  const file = asObject(facts.result?.file);
  const dimensions = asObject(file?.dimensions);
  switch (facts.result?.type) {
    case "text": {
      const lines = asNumber(file?.numLines);
      const total = asNumber(file?.totalLines);
      if (lines === null) return null;
      if (file?.content === "") return "empty";
      return total !== null && total > lines
        ? `${formatCount(lines)} of ${formatPlural(total, "line")}`
        : formatPlural(lines, "line");
    }
    case "image": {
      const width = asNumber(dimensions?.originalWidth);
      const height = asNumber(dimensions?.originalHeight);
      return width === null || height === null ? "image" : `image ${width} × ${height}`;
    }
    case "notebook":
      return `notebook, ${formatPlural(asArray(file?.cells).length, "cell")}`;
    case "pdf":
      return "PDF";
    case "file_unchanged":
      return "unchanged";
    default:
      return null;
  }
}

/** How the result of a Write begins that made a file (all versions), where it has no structured part too. */
export const FILE_CREATED = "File created";

/** A file that was written whole. */
function describeWrite({ input, cwd, result, text }: DescribedCall): CallLine {
  const isCreated = result ? result.type === "create" : text?.startsWith(FILE_CREATED) === true;
  return { subject: shortPath(asString(input.file_path), cwd), result: isCreated ? "created" : null };
}

/** A change of one place in a file, or of all equal ones. */
function describeEdit({ input, cwd, result }: DescribedCall): CallLine {
  const subject = shortPath(asString(input.file_path), cwd);
  return {
    subject,
    aside: result?.userModified === true ? "changed by the user" : null,
    result: input.replace_all === true ? "all" : null,
  };
}

/** Several changes of one file (1.0.128). */
function describeMultiEdit({ input, cwd }: DescribedCall): CallLine {
  return {
    subject: shortPath(asString(input.file_path), cwd),
    result: formatPlural(asArray(input.edits).length, "edit"),
  };
}

/** A cell of a notebook, read or changed. */
function describeNotebook({ input, cwd }: DescribedCall): CallLine {
  const cell = asString(input.cell_id);
  const aside = [cell && `cell ${cell}`, asString(input.edit_mode)].filter(Boolean).join(", ");
  return { subject: shortPath(asString(input.notebook_path), cwd), aside: aside || null };
}

/** A pattern of paths, and how many files it found. */
function describeGlob(facts: DescribedCall): CallLine {
  const { input, cwd, result } = facts;
  const path = shortPath(asString(input.path), cwd);
  const files = asNumber(result?.numFiles);
  const more = result?.truncated === true ? "+" : "";
  return {
    subject: asString(input.pattern) ?? "",
    aside: path ? `in ${path}` : null,
    result: files === null ? null : `${formatCount(files)}${more} ${files === 1 ? "file" : "files"}`,
  };
}

/** A pattern in files, where it was looked for, and what was found. */
function describeGrep({ input, cwd, result }: DescribedCall): CallLine {
  const where = [shortPath(asString(input.path), cwd), asString(input.glob), asString(input.type)].filter(
    Boolean,
  );
  const files = asNumber(result?.numFiles);
  const lines = asNumber(result?.numMatches) ?? asNumber(result?.numLines);
  let outcome: string | null = null;
  if (lines !== null)
    outcome = files ? `${formatCount(lines)} in ${formatPlural(files, "file")}` : formatPlural(lines, "line");
  else if (files !== null) outcome = formatPlural(files, "file");
  return {
    subject: asString(input.pattern) ?? "",
    aside: where.length > 0 ? `in ${where.join(" ")}` : null,
    result: outcome,
  };
}

/** A folder that was listed. */
function describeList({ input, cwd }: DescribedCall): CallLine {
  const path = asString(input.path);
  return { subject: path === cwd ? "." : shortPath(path, cwd) };
}
