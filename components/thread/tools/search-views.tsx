import { ChevronDown, ChevronRight } from "lucide-react";
import type { RE2JS } from "re2js";
import { type ReactNode, useMemo, useState } from "react";
import { CodeLine, ShowMore, useSteps } from "@/components/content/code/code-line";
import { resultText } from "@/components/content/log-values";
import { useThreadActions } from "@/components/content/row-actions";
import { LookButtons } from "@/components/content/text/look-buttons";
import { CopyPathLine, MoreText } from "@/components/content/text/more-text";
import { shortenPath, VisibleText } from "@/components/content/text/visible-text";
import { OpenedCall, type ToolViewProps, type ToolViews } from "@/components/thread/opened-block";
import { Icon } from "@/components/ui/icon";
import { PagePart, usePagePart } from "@/lib/client/page-part";
import { formatCount, formatPlural } from "@/lib/format/format";
import { fieldsOf, listField, numberField, textField } from "@/lib/format/json-values";
import type { Mark } from "@/lib/markup/diff-lines";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { type MatchGroup, type MatchLine, matchGroups } from "@/lib/markup/match-groups";
import { DataTable } from "./call-data";
import { OutputBlocks } from "./output-blocks";
import { wholeOutput } from "./whole-output";

/** Searches for files and in them. */
export const SEARCH_VIEWS: ToolViews<"search"> = {
  Glob: SearchView,
  Grep: SearchView,
};

const LOOKS = [
  { value: "tree", label: "Tree" },
  { value: "list", label: "List" },
] as const;

/** Glob and Grep: files by folder, or the lines that matched by file, what was searched for marked. */
function SearchView({ row, call }: ToolViewProps) {
  const { sessionId } = useThreadActions();
  const [look, setLook] = useState<"tree" | "list">("tree");
  const { input } = call;
  const [result] = call.results;
  const structured = result?.structured;
  const pattern = textField(input, "pattern") ?? "";
  const isGlob = call.name === "Glob";
  const lineMarks = usePatternMarks(isGlob ? "" : pattern, fieldsOf(input)["-i"] === true);
  const nameMarks = (name: string) => (isGlob ? globMarks(pattern, name) : []);
  const failed = result?.isError ?? true;
  const found = foundFiles(call);
  const isContent = (textField(structured, "mode") ?? textField(input, "output_mode")) === "content";
  const matches = numberField(structured, "numMatches") ?? numberField(structured, "numLines");
  const files = numberField(structured, "numFiles") ?? found.length;
  const first = result?.blocks.find((block) => block.kind === "text");
  const counts =
    !failed && textField(structured, "mode") === "count" ? countedFiles(resultText(call).text, call.cwd) : [];
  const showsLines = !failed && isContent && first !== undefined && first.text.length > 0;
  return (
    <OpenedCall
      row={row}
      facts={
        <>
          {matches !== null && (
            <span>
              {formatPlural(matches, isContent ? "line" : "match", isContent ? "lines" : "matches")}
            </span>
          )}
          {files > 0 && <span>{formatPlural(files, "file")}</span>}
          {fieldsOf(structured).truncated === true && <span className="text-warn">cut by the client</span>}
          {numberField(input, "head_limit") !== null && (
            <span className="text-fg-3">first {numberField(input, "head_limit")} asked for</span>
          )}
        </>
      }
      actions={
        !showsLines &&
        counts.length === 0 &&
        found.length > 0 && <LookButtons looks={LOOKS} look={look} onChange={setLook} />
      }
      copy={{ label: "Copy result", text: () => wholeOutput(sessionId, call) }}
      wrappable={showsLines}
    >
      {showsLines && first ? (
        <MoreText row={{ ...row, recordId: result?.recordId ?? row.recordId }} text={first.text}>
          {(text) => (
            <MatchList
              text={text}
              root={call.cwd}
              file={fileSearched(textField(input, "path"), call.cwd)}
              numbered={fieldsOf(input)["-n"] !== false}
              marks={lineMarks}
            />
          )}
        </MoreText>
      ) : counts.length > 0 ? (
        <DataTable table={{ columns: ["file", "matches"], rows: counts }} />
      ) : found.length > 0 ? (
        <FileTree files={found} root={call.cwd} marks={nameMarks} flat={look === "list"} />
      ) : (
        <OutputBlocks row={row} call={call} />
      )}
    </OpenedCall>
  );
}

/** Named in the structured result, or, on agents' lines, one a line of the text. */
function foundFiles(call: ToolViewProps["call"]): string[] {
  const [result] = call.results;
  if (!result || result.isError) return [];
  const named = listField(result.structured, "filenames").filter((name) => typeof name === "string");
  if (named.length > 0 || result.structured !== null) return named;
  const lines = resultText(call)
    .text.split("\n")
    .filter((line) => line !== "");
  const paths = lines.filter((line) => /^(?:\/|[A-Za-z]:\\|[\w.-]+[/\\])?[^:]*$/.test(line));
  return paths.length > 0 && paths.length >= lines.length - 1 && /[/\\.]/.test(paths[0] ?? "") ? paths : [];
}

/** Of a search that only counts: `path:12`, a line a file. */
function countedFiles(text: string, root: string | null): { file: string; matches: number }[] {
  return text.split("\n").flatMap((line) => {
    const [, file, matches] = /^(.+):(\d+)$/.exec(line) ?? [];
    return file ? [{ file: shortenPath(file, root), matches: Number(matches) }] : [];
  });
}

/** Lines that a search found, under their files, with what matched marked. */
function MatchList({
  text,
  root,
  file,
  numbered,
  marks,
}: {
  text: string;
  root: string | null;
  file: string | null;
  numbered: boolean;
  marks: MarkText;
}) {
  const groups = useMemo(() => matchGroups(text, { file, numbered }), [text, file, numbered]);
  const total = groups.reduce((sum, group) => sum + group.lines.length, 0);
  const steps = useSteps("matches", total, 200);
  const shown = firstLines(groups, steps.shown);
  return (
    <>
      <div className="overflow-x-auto py-1" tabIndex={0}>
        {shown.map(({ path, lines }, index) =>
          path === null ? (
            <Lines key={index} lines={lines} path={null} marks={marks} />
          ) : (
            <TreeGroup
              key={index}
              label={<VisibleText text={shortenPath(path, root)} />}
              count={lines.filter(({ context }) => !context).length}
            >
              <Lines lines={lines} path={shortenPath(path, root)} marks={marks} />
            </TreeGroup>
          ),
        )}
      </div>
      <ShowMore steps={steps} unit="lines" />
    </>
  );
}

function Lines({
  lines,
  path,
  marks,
}: {
  lines: readonly MatchLine[];
  path: string | null;
  marks: MarkText;
}) {
  return lines.map(({ line, text, context }, index) => (
    <div
      key={index}
      className="grid grid-cols-[calc(58px*var(--u))_minmax(0,1fr)] font-mono text-code/[22px] whitespace-pre"
    >
      <span className="pr-3 text-right text-11/[22px] text-fg-3 tabular-nums select-none">
        {line !== null && <CopyPathLine path={path} line={line} />}
      </span>
      <span className={context ? "text-fg-3" : ""}>
        <CodeLine text={text} marks={context ? [] : marks(text)} markClass="bg-hit" />
      </span>
    </div>
  ));
}

function firstLines(groups: readonly MatchGroup[], count: number): MatchGroup[] {
  let left = count;
  return groups.flatMap(({ path, lines }) => {
    if (left <= 0) return [];
    const kept = lines.slice(0, left);
    left -= kept.length;
    return [{ path, lines: kept }];
  });
}

/** The name at the end of a path that looks like a file's. */
function fileSearched(path: string | null, root: string | null): string | null {
  return path === root ? null : (/[^/\\]+\.\w+$/.exec(path ?? "")?.[0] ?? null);
}

/** What a file's name owes to the fixed parts of a glob pattern's last piece: `lock` of `*lock*.ts`. */
export function globMarks(pattern: string, name: string): Mark[] {
  const last = pattern.split("/").at(-1) ?? "";
  if (!/[*?]/.test(last)) return [];
  const parts = last.split(/[*?]+|\{[^}]*\}|\[[^\]]*\]/).filter((part) => part.length >= 2);
  const marks: Mark[] = [];
  let from = 0;
  for (const part of parts) {
    // An ending says the kind of file, which the reader sees without a mark.
    if (part.startsWith(".")) continue;
    const at = name.toLowerCase().indexOf(part.toLowerCase(), from);
    if (at === -1) return [];
    marks.push({ from: at, to: at + part.length });
    from = at + part.length;
  }
  return marks;
}

/** Files by folder, or as a plain list, with what was searched for marked in their names. */
function FileTree({
  files,
  root,
  marks,
  flat,
}: {
  files: readonly string[];
  root: string | null;
  marks: MarkText;
  flat: boolean;
}) {
  const steps = useSteps("files", files.length, 200);
  const shown = files.slice(0, steps.shown).map((file) => shortenPath(file, root));
  const groups = flat ? [] : fileGroups(shown);
  return (
    <>
      <div className="py-1">
        {flat || groups.length === 1
          ? shown.map((file, index) => (
              <div
                key={index}
                className="truncate px-3 font-mono text-code leading-[22px]"
                title={labelHidden(file)}
              >
                <FileName path={file} marks={marks} />
              </div>
            ))
          : groups.map(({ folder, names }) => (
              <TreeGroup key={folder} label={<VisibleText text={folder || "."} />} count={names.length}>
                {names.map(({ name, path }) => (
                  <div
                    key={path}
                    className="truncate pr-3 pl-8 font-mono text-code leading-[22px]"
                    title={labelHidden(path)}
                  >
                    <FileName path={name} marks={marks} />
                  </div>
                ))}
              </TreeGroup>
            ))}
      </div>
      <ShowMore steps={steps} unit="files" />
    </>
  );
}

/** The folder quiet, the name marked. */
function FileName({ path, marks }: { path: string; marks: MarkText }) {
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;
  const name = path.slice(cut);
  return (
    <>
      {cut > 0 && (
        <span className="text-fg-2">
          <VisibleText text={path.slice(0, cut)} />
        </span>
      )}
      <CodeLine text={name} marks={marks(name)} markClass="bg-hit" />
    </>
  );
}

/** A folder or file of a list with its count, which hides or shows what lies under it. */
export function TreeGroup({
  label,
  count,
  children,
}: {
  label: ReactNode;
  count: number;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(true);
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        data-unfolds={open ? undefined : ""}
        onClick={() => setOpen(!open)}
        className="flex h-[22px] w-full min-w-0 items-center gap-1.5 px-3 text-left font-mono text-code hover:bg-raised"
      >
        <span className="flex text-fg-3">
          <Icon of={open ? ChevronDown : ChevronRight} small />
        </span>
        <span data-log="output" className="truncate">
          {label}
        </span>
        <span className="font-sans text-11 text-fg-3 tabular-nums">{formatCount(count)}</span>
      </button>
      {open && children}
    </div>
  );
}

type FileGroup = { folder: string; names: { name: string; path: string }[] };

/** Files by the folder they lie in, folders in the order in which they first come. */
export function fileGroups(paths: readonly string[]): FileGroup[] {
  const groups = new Map<string, FileGroup>();
  for (const path of paths) {
    const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
    const folder = cut === -1 ? "" : path.slice(0, cut) || "/";
    const group = groups.get(folder) ?? { folder, names: [] };
    group.names.push({ name: path.slice(cut + 1), path });
    groups.set(folder, group);
  }
  return [...groups.values()];
}

type ListedEntry = { name: string; depth: number; folder: boolean };

/** The tree that LS prints (1.0): `- name/` by indentation; text after it is the client's own. */
export function listedEntries(text: string): ListedEntry[] {
  return text.split("\n").flatMap((line) => {
    const [, indent, name] = /^( *)- (.+)$/.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name, depth: Math.floor((indent ?? "").length / 2), folder: /[/\\]$/.test(name) }];
  });
}

const LINE_CHARACTERS = 2_000;
const MAX_MARKS = 50;

type MarkText = (text: string) => Mark[];

const ENGINE = new PagePart(() => import("re2js"));

/**
 * Finds what a pattern of the log matches in a line. The engine takes time linear in the line whatever the
 * pattern is, and is loaded when first asked for; until then, where it does not come, and for a pattern that it cannot
 * read, nothing is marked.
 */
function usePatternMarks(pattern: string, ignoreCase: boolean): MarkText {
  const { code } = usePagePart(ENGINE, pattern !== "");
  return useMemo(() => {
    const compiled = code && pattern !== "" ? compiledPattern(code, pattern, ignoreCase) : null;
    return (text) => (compiled ? marksOf(compiled, text) : []);
  }, [code, pattern, ignoreCase]);
}

/** `null` for a pattern that the engine cannot read. */
function compiledPattern(
  { RE2JS: Engine, RE2JSException }: typeof import("re2js"),
  pattern: string,
  ignoreCase: boolean,
): RE2JS | null {
  try {
    return Engine.compile(pattern, ignoreCase ? Engine.CASE_INSENSITIVE : 0);
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    return null;
  }
}

function marksOf(compiled: RE2JS, text: string): Mark[] {
  const marks: Mark[] = [];
  const matcher = compiled.matcher(text.slice(0, LINE_CHARACTERS));
  while (marks.length < MAX_MARKS && matcher.find()) {
    const from = matcher.start();
    const to = matcher.end();
    if (to > from) marks.push({ from, to });
  }
  return marks;
}
