import { formatBytes, formatCount, formatPlural } from "@/lib/format/format";
import { compareVersions } from "@/lib/format/text";
import type { DoctorCount, DoctorFinding, DoctorHistory, DoctorPlace, DoctorReport } from "@/lib/wire/doctor";
import type { Warning } from "@/lib/wire/library";

/** Maximum number of positions and rows printed of each list; the JSON has more. */
const MAX_POSITIONS = 5;
const MAX_ROWS = 60;

/**
 * A report as the command prints it: plain text, one fact a line, ending in a newline.
 * @param warnings of files of Backscroll's own, such as that of annotations
 */
export function formatDoctor(
  report: DoctorReport,
  warnings: readonly Warning[] = [],
  histories: readonly DoctorHistory[] = [],
): string {
  const lines = [
    ...(report.session ? [`session ${report.session.id} “${report.session.title}”`, ""] : []),
    ...totals(report),
    ...section(
      "client versions",
      report.versions.map(
        ({ version, records, files }) =>
          `${version || "(none named)"}: ${formatPlural(records, "record")} in ${formatPlural(files, "file")}`,
      ),
    ),
    ...section("record types", report.types.map(countLine)),
    ...section("stop reasons", report.stopReasons.map(countLine)),
    ...section("content blocks", report.blocks.map(countLine)),
    ...section("tools", report.tools.map(countLine)),
    ...section(
      "sessions without a main log",
      report.gone.map(
        ({ file, files, bytes }) =>
          `${oneLine(file)}: ${formatPlural(files, "agent’s log", "agents’ logs")} left, ${formatBytes(bytes)}`,
      ),
    ),
    ...section(
      "logs outside sessions",
      report.outside.map(
        ({ file, message, lines, records, bytes }) =>
          `${oneLine(file)}: ${message}. ${formatPlural(lines, "line")}, ${formatPlural(records, "record")}, ${formatBytes(bytes)}`,
      ),
    ),
    ...section(
      "files not read",
      report.unread.map(
        ({ file, message, hint, bytes }) =>
          `${oneLine(file)}: ${message}. ${hint}${bytes === null ? "" : ` ${formatBytes(bytes)}`}`,
      ),
    ),
    ...section("histories of prompts", histories.map(historyLine)),
    ...section(
      "warnings",
      warnings.map(
        ({ message, hint, path }) => `${path === undefined ? "" : `${path}: `}${message}. ${hint}`,
      ),
    ),
    ...findings(report.findings),
  ];
  return `${lines.map(oneLine).join("\n")}\n`;
}

function historyLine({ path, bytes, problem, ...counts }: DoctorHistory): string {
  if (problem !== null) return `${path}: ${problem.message}. ${problem.hint}`;
  const { lines, prompts, commands, unknown, unreadable, torn } = counts;
  const others = [
    ...(unknown > 0 ? [`${formatCount(unknown)} of unknown shape`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable)} unreadable`] : []),
    ...(torn ? ["the last line is incomplete"] : []),
  ];
  const counted = [
    formatPlural(lines, "line"),
    formatPlural(prompts, "prompt"),
    formatPlural(commands, "command"),
    ...others,
  ];
  return `${path}: ${counted.join(", ")}, ${formatBytes(bytes)}`;
}

function totals(report: DoctorReport): string[] {
  const { sessions, files, filesOutside, bytes, lines, records, unreadable, salvaged, unknown, kept } =
    report;
  const outside = filesOutside > 0 ? `, ${formatCount(filesOutside)} of them outside sessions` : "";
  return [
    `read: ${formatPlural(sessions, "session")}, ${formatPlural(files, "file")}${outside}, ${formatBytes(bytes)} (${formatCount(bytes)} bytes)`,
    `found: ${formatPlural(lines, "line")}, ${formatPlural(records, "record")}, ${formatCount(unreadable)} unreadable, ${formatCount(salvaged)} salvaged, ${formatCount(unknown)} of unknown type`,
    ...(kept.sessions === 0
      ? []
      : [
          `kept: ${formatPlural(kept.sessions, "session")} (${formatPlural(kept.files, "file")}, ${formatBytes(kept.bytes)}) only in the archive, no longer on disk`,
        ]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MAX_ROWS).map((line) => `  ${line}`);
  const rest = lines.length > MAX_ROWS ? [`  … and ${formatCount(lines.length - MAX_ROWS)} more`] : [];
  return ["", title, ...shown, ...rest];
}

function countLine({ name, known, total, byVersion }: DoctorCount): string {
  const versions = Object.keys(byVersion).filter((version) => version !== "");
  const span = versions.length === 0 ? "" : ` (${versions.sort(compareVersions).join(", ")})`;
  return `${name}: ${formatCount(total)}${span}${known ? "" : " — not known"}`;
}

function findings(found: readonly DoctorFinding[]): string[] {
  return found.length === 0 ? ["", "nothing to report"] : formatFindings(found);
}

/** Findings with their first places, a fact a line. */
export function formatFindings(found: readonly DoctorFinding[]): string[] {
  return found.flatMap(({ rule, level, title, count: times, files, places }) => [
    "",
    `${level}: ${title}: ${formatCount(times)} in ${formatPlural(files, "file")} [${rule}]`,
    ...places.slice(0, MAX_POSITIONS).map((place) => `  ${formatPosition(place)}`),
    ...(times > MAX_POSITIONS
      ? [`  … and ${formatCount(times - Math.min(MAX_POSITIONS, places.length))} more`]
      : []),
  ]);
}

function formatPosition({ file, line, offset, length, note }: DoctorPlace): string {
  return `${file}:${line}, bytes ${offset}–${offset + length}: ${note}`;
}

/** Names and notes come from logs: characters that would control a terminal or break the line are escaped. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
