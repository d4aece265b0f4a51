import { comparablePath, isAbsolutePath, pathBelow } from "@/lib/format/text";
import { at } from "@/lib/log/table/table";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { toolNamed } from "@/lib/tools/tools";
import type { ComparedFile, ComparedFileSide, CompareResponse, FileVerdict } from "@/lib/wire/compare";
import type { FileAt } from "@/lib/wire/files";
import type { RecordId } from "@/lib/wire/ids";
import { firstThread } from "../answers/branch-entries";
import { touchedFiles } from "../files/file-events";
import { fileAt } from "../files/session-files";
import type { OpenSide } from "./align-sides";

/** Files beyond these are listed without being rebuilt. */
const MAX_REBUILT = 100;

/** A side with its calls after the stem, its agents' included. */
type Side = OpenSide & { calls: readonly number[] };

type Touched = { added: number; removed: number; changes: number; path: string };

/** The files that either side changed after the stem, in their final state on both. */
export async function comparedFiles(
  left: Side,
  right: Side,
): Promise<Pick<CompareResponse, "files" | "readOnly">> {
  const [one, other] = [await touchedBy(left), await touchedBy(right)];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const changed = names.filter((name) => (one.get(name)?.changes ?? 0) + (other.get(name)?.changes ?? 0) > 0);
  const files: ComparedFile[] = [];
  for (const [index, name] of changed.sort((a, b) => (a < b ? -1 : 1)).entries()) {
    const isRebuilt = index < MAX_REBUILT;
    const ends = {
      left: await endOf(left, name, one.get(name), isRebuilt),
      right: await endOf(right, name, other.get(name), isRebuilt),
    };
    files.push({
      name,
      left: ends.left?.side ?? null,
      right: ends.right?.side ?? null,
      verdict: verdictOf(ends.left?.file ?? null, ends.right?.file ?? null),
    });
  }
  const rank = ({ verdict }: ComparedFile) => ["differs", "unknown", "same"].indexOf(verdict);
  return { files: files.sort((a, b) => rank(a) - rank(b)), readOnly: names.length - changed.length };
}

/**
 * The files that a side's calls touched after the stem, by their names in the project: two checkouts of one project
 * have different paths.
 */
async function touchedBy(side: Side): Promise<Map<string, Touched>> {
  const { table } = side.session;
  const isOwn = new Set(side.calls);
  const found = new Map<string, Touched>();
  for (const [path, calls] of (await touchedFiles(side.session)).calls) {
    const own = calls.filter((call) => isOwn.has(call));
    if (own.length === 0) continue;
    const file: Touched = { path, added: 0, removed: 0, changes: 0 };
    for (const call of own) {
      if (toolNamed(table.tools.at(table.calls.tool.at(call)))?.files !== "changes") continue;
      file.changes += 1;
      file.added += table.calls.added.at(call);
      file.removed += table.calls.removed.at(call);
    }
    found.set(nameIn(side, path), file);
  }
  return found;
}

function nameIn({ around: { projectPath } }: Side, path: string): string {
  return (projectPath ? pathBelow(projectPath, comparablePath(path)) : null) ?? path;
}

/** A file as it was when a side ended; `null` if its session does not mention the file. */
async function endOf(
  side: Side,
  name: string,
  touched: Touched | undefined,
  isRebuilt: boolean,
): Promise<{ side: ComparedFileSide; file: FileAt | null } | null> {
  const { projectPath } = side.around;
  const path = touched?.path ?? (isAbsolutePath(name) || !projectPath ? name : `${projectPath}/${name}`);
  const { added, removed, changes } = touched ?? { added: 0, removed: 0, changes: 0 };
  const end = endRecord(side);
  try {
    const file = isRebuilt ? await fileAt(side.session, side.around, path, end) : null;
    return { side: { path, at: end, added, removed, changes, exists: file?.exists ?? null }, file };
  } catch (error) {
    if (isViewerError(error) && error.code === "file-not-touched") return null;
    throw error;
  }
}

/** The last record of a branch that has a time; `null` on the active one, whose files are in their current state. */
function endRecord({ session, branch, path }: Side): RecordId | null {
  if (branch === (session.graph.branches[firstThread(session)]?.[0] ?? null)) return null;
  for (let position = path.records.length - 1; position >= 0; position--) {
    const record = at(path.records, position);
    if (!Number.isNaN(session.table.records.atMs.at(record))) return session.recordId(record);
  }
  return null;
}

function verdictOf(left: FileAt | null, right: FileAt | null): FileVerdict {
  const isKnown = (file: FileAt | null) => file !== null && (file.exists === false || file.complete);
  if (!left || !right || !isKnown(left) || !isKnown(right)) return "unknown";
  return left.exists === right.exists && left.content === right.content ? "same" : "differs";
}
