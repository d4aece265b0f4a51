import { formatBytes, formatCount, formatPlural } from "@/lib/format/format";
import type { SecretsReport } from "@/lib/wire/secrets";
import { formatFindings, oneLine } from "./format-doctor";

const MAX_SESSIONS = 60;
const MAX_KINDS = 6;

/** A report as the command prints it: plain text, one fact a line, ending in a newline. */
export function formatSecrets({ session, bytes, kinds, sessions, unread }: SecretsReport): string {
  const secret = kinds.filter(({ personal }) => !personal);
  const count = secret.reduce((sum, kind) => sum + kind.count, 0);
  const distinct = secret.reduce((sum, kind) => sum + kind.distinct, 0);
  const lines = [
    ...(session ? [`session ${session.id} “${session.title}”`, ""] : []),
    `read: ${formatBytes(bytes)}`,
    `found: ${formatPlural(count, "secret")}, ${formatCount(distinct)} different, in ${formatPlural(sessions.length, "session")}`,
    ...formatFindings(kinds),
    ...(sessions.length > 0 && !session ? ["", "sessions with secrets"] : []),
    ...(session ? [] : sessions.slice(0, MAX_SESSIONS)).map(
      ({ id, title, count: times, counts }) =>
        `  ${id} “${title}”: ${formatCount(times)} (${formatCounts(counts)})`,
    ),
    ...(session || sessions.length <= MAX_SESSIONS
      ? []
      : [`  … and ${formatCount(sessions.length - MAX_SESSIONS)} more`]),
    ...(unread.length > 0 ? ["", "files not read"] : []),
    ...unread.map(({ file, message }) => `  ${file}: ${message}`),
  ];
  return `${lines.map(oneLine).join("\n")}\n`;
}

/** The most frequent kinds. */
function formatCounts(counts: Record<string, number>): string {
  const kinds = Object.entries(counts).map(([rule, count]) => `${rule} ${formatCount(count)}`);
  return [...kinds.slice(0, MAX_KINDS), ...(kinds.length > MAX_KINDS ? ["…"] : [])].join(", ");
}

/**
 * The report in SARIF 2.1.0, for tools that list findings. Paths are relative to each project's folder. Its only
 * invocation lists what it leaves out, and what was not read.
 */
export function toSarif({ kinds, unread }: SecretsReport, version: string) {
  const leftOut = kinds.flatMap(({ title, personal, count, distinct, places }) => {
    const all = personal ? distinct : count;
    return all > places.length
      ? [`${title}: ${formatCount(places.length)} of ${formatCount(all)} places are listed.`]
      : [];
  });
  const notRead = unread.map(({ file, message }) => `${file} was not read: ${message}`);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Backscroll",
            semanticVersion: version,
            rules: kinds.map(({ rule, title, level }) => ({
              id: rule,
              shortDescription: { text: title },
              defaultConfiguration: { level: level === "info" ? "note" : level },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: notRead.length === 0,
            toolExecutionNotifications: [
              ...notRead.map((text) => ({ level: "error", message: { text } })),
              ...leftOut.map((text) => ({ level: "note", message: { text } })),
            ],
          },
        ],
        results: kinds.flatMap(({ rule, title, level, places }, ruleIndex) =>
          places.map(({ sessionId, file, line, offset, length, recordId, note }) => ({
            ruleId: rule,
            ruleIndex,
            level: level === "info" ? "note" : level,
            message: { text: `${title}: ${note}` },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/") },
                  region: { startLine: line, byteOffset: offset, byteLength: length },
                },
                logicalLocations: [{ fullyQualifiedName: `${sessionId}/${recordId}`, kind: "record" }],
              },
            ],
          })),
        ),
      },
    ],
  };
}
