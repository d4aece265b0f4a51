import { expect, test } from "vitest";
import { asObject, asString } from "@/lib/log/records/json";
import { blocksOf, type FixtureLine, kindOf, linesOf, typeOf } from "./fixture-lines";

/** A question about the lines of a version, answered by them alone: `yes`, `no`, or what they hold. */
const QUESTIONS: Record<string, (lines: readonly FixtureLine[]) => string> = {
  types: (lines) => list(lines.map(typeOf)),
  "types without a uuid": (lines) => list(lines.filter(({ json }) => json.uuid === undefined).map(typeOf)),
  "fields of every line with a uuid": (lines) => {
    const nodes = nodesOf(lines);
    return list(
      Object.keys(nodes[0]?.json ?? {}).filter((field) => nodes.every(({ json }) => field in json)),
    );
  },
  "agents' logs": (lines) =>
    list(
      lines
        .map(({ file }) => file)
        .filter((file) => file.includes("/agent-") && !file.includes("aprompt_suggestion"))
        .map((file) =>
          file
            .replace(/^projects\/[^/]+\//, "")
            .replace(/^[0-9a-f-]{36}/, "<session>")
            .replace(/wf_[^/]+/, "<workflow>")
            .replace(/agent-([0-9a-f]+)/, (_, id: string) => `agent-<${id.length} hex>`),
        ),
    ),
  "agents' lines are sidechains with an agentId": (lines) =>
    every(
      lines.filter(({ file, json }) => file.includes("/agent-") && json.uuid !== undefined),
      ({ json }) => json.isSidechain === true && typeof json.agentId === "string",
    ),
  "a main log is named after its lines' sessionId": (lines) =>
    every(
      lines.filter(({ file, json }) => !file.includes("/agent-") && json.sessionId !== undefined),
      ({ file, json }) => file.endsWith(`/${String(json.sessionId)}.jsonl`),
    ),
  "blocks on an assistant line": (lines) =>
    list(ofType(lines, "assistant").map((line) => `${blocksOf(line).length}`)),
  "a block of an answer hangs from the block before": (lines) => {
    const answers = ofType(lines, "assistant");
    const messageOf = new Map(answers.map((line) => [line.json.uuid, messageIdOf(line)]));
    const later = answers.filter((line, at) => at > 0 && messageIdOf(answers[at - 1]) === messageIdOf(line));
    return every(later, (line) => messageOf.get(line.json.parentUuid) === messageIdOf(line));
  },
  "lines of one answer follow one another": (lines) => {
    const ids = lines.map((line) => (typeOf(line) === "assistant" ? messageIdOf(line) : null));
    const isReopened = (id: string | null, at: number) =>
      id !== null && ids[at - 1] !== id && ids.slice(0, Math.max(0, at - 1)).includes(id);
    return ids.some(isReopened) ? "no" : "yes";
  },
  "stop reasons": (lines) =>
    list(ofType(lines, "assistant").map((line) => String(asObject(line.json.message)?.stop_reason))),
  "results on a line": (lines) =>
    list(
      resultsOf(lines).map((line) => `${blocksOf(line).filter(({ type }) => type === "tool_result").length}`),
    ),
  "types of lines with results": (lines) => list(nodesOf(resultsOf(lines)).map(typeOf)),
  "a result hangs from its own call": (lines) => {
    const lineOfCall = new Map(
      nodesOf(lines).flatMap((line) =>
        blocksOf(line).flatMap(({ type, id }) =>
          type === "tool_use" ? [[id, line.json.uuid] as const] : [],
        ),
      ),
    );
    const results = nodesOf(resultsOf(lines)).flatMap((line) =>
      blocksOf(line)
        .filter(({ type }) => type === "tool_result")
        .map(({ tool_use_id }) => lineOfCall.get(tool_use_id) === line.json.parentUuid),
    );
    return every(results, (own) => own);
  },
  toolUseResult: (lines) => list(nodesOf(resultsOf(lines)).map(({ json }) => kindOf(json.toolUseResult))),
  "failed results begin with Error:": (lines) =>
    every(
      resultsOf(lines).filter(({ json }) => typeof json.toolUseResult === "string"),
      ({ json }) => String(json.toolUseResult).startsWith("Error: "),
    ),
  "parents are in the log of their line": (lines) => {
    const fileOf = new Map(lines.map(({ file, json }) => [json.uuid, file]));
    return every(
      lines.filter(({ json }) => typeof json.parentUuid === "string"),
      ({ file, json }) => fileOf.get(json.parentUuid) === file,
    );
  },
  "parents are written": (lines) => {
    const uuids = new Set(lines.map(({ json }) => json.uuid));
    return every(
      lines.filter(({ json }) => typeof json.parentUuid === "string"),
      ({ json }) => uuids.has(json.parentUuid),
    );
  },
  "answers hang from progress": (lines) => {
    const progress = new Set(ofType(lines, "progress").map(({ json }) => json.uuid));
    return ofType(lines, "assistant").some(({ json }) => progress.has(json.parentUuid)) ? "yes" : "no";
  },
  "times are in the order of the lines": (lines) => {
    const times = new Map<string, number>();
    return every(lines, ({ file, json }) => {
      const ms = Date.parse(String(json.timestamp));
      const isLater = Number.isNaN(ms) || ms >= (times.get(file) ?? 0);
      if (!Number.isNaN(ms)) times.set(file, ms);
      return isLater;
    });
  },
  "system lines": (lines) => list(ofType(lines, "system").map(({ json }) => String(json.subtype))),
  "queue operations": (lines) =>
    list(ofType(lines, "queue-operation").map(({ json }) => String(json.operation))),
  "a summary's leaf is in its own log": (lines) => {
    const fileOf = new Map(lines.map(({ file, json }) => [json.uuid, file]));
    return every(ofType(lines, "summary"), ({ file, json }) => fileOf.get(json.leafUuid) === file);
  },
  "an update's messageId is its snapshot's": (lines) =>
    every(
      lines.filter(({ json }) => json.isSnapshotUpdate === true),
      ({ json }) => json.messageId === asObject(json.snapshot)?.messageId,
    ),
  backups: (lines) =>
    list(
      lines.flatMap(({ json }) =>
        Object.values(asObject(asObject(json.snapshot)?.trackedFileBackups) ?? {}).map(kindOf),
      ),
    ),
  "thinking is signed": (lines) =>
    every(
      lines.flatMap(blocksOf).filter(({ type }) => type === "thinking"),
      ({ signature }) => typeof signature === "string",
    ),
  "flags of older formats": (lines) =>
    list(
      ["isDeleted", "isAborted", "isError", "is_active"].filter((flag) =>
        lines.some(({ json }) => flag in json),
      ),
    ),
  "answers without a requestId": (lines) =>
    ofType(lines, "assistant").some(({ json }) => json.requestId === undefined) ? "yes" : "no",
};

const nodesOf = (lines: readonly FixtureLine[]) => lines.filter(({ json }) => json.uuid !== undefined);
const ofType = (lines: readonly FixtureLine[], type: string) => lines.filter((line) => typeOf(line) === type);
const resultsOf = (lines: readonly FixtureLine[]) =>
  lines.filter((line) => blocksOf(line).some(({ type }) => type === "tool_result"));
const messageIdOf = (line: FixtureLine | undefined) => asString(asObject(line?.json.message)?.id);
const list = (values: readonly string[]) => [...new Set(values)].sort().join(", ") || "none";

function every<T>(values: readonly T[], holds: (value: T) => boolean): string {
  const holding = values.filter(holds).length;
  return values.length === 0 ? "none" : holding === values.length ? "yes" : holding === 0 ? "no" : "not all";
}

const VERSIONS = ["1.0.128", "2.0.42", "2.0.50", "2.0.76", "2.1.29", "2.1.42", "2.1.110", "2.1.330"];

const LINES = new Map(VERSIONS.map((version) => [version, linesOf(version)]));

/** The answers, each with the versions that give it. */
function answersOf(question: (lines: readonly FixtureLine[]) => string): string[] {
  const versionsOf = new Map<string, string[]>();
  for (const version of VERSIONS) {
    const answer = question(LINES.get(version) ?? []);
    versionsOf.set(answer, [...(versionsOf.get(answer) ?? []), version]);
  }
  return [...versionsOf].map(([answer, versions]) => `${answer} (${versions.join(", ")})`);
}

const ANSWERS: Record<string, string[]> = {
  types: [
    "assistant, summary, system, user (1.0.128)",
    "assistant, file-history-snapshot, queue-operation, summary, system, user (2.0.42, 2.0.50)",
    "assistant, custom-title, file-history-snapshot, queue-operation, summary, system, user (2.0.76)",
    "assistant, custom-title, file-history-snapshot, progress, queue-operation, system, user (2.1.29, 2.1.42)",
    "agent-name, assistant, attachment, custom-title, file-history-snapshot, last-prompt, permission-mode, queue-operation, system, user (2.1.110)",
    "agent-name, api-request, api-request-blob, api-request-shape, assistant, atis-latch, attachment, cost-state, custom-title, file-history-delta, file-history-snapshot, last-prompt, launched, mode, permission-mode, queue-operation, result, started, system, tools-used, user (2.1.330)",
  ],
  "types without a uuid": [
    "summary (1.0.128)",
    "file-history-snapshot, queue-operation, summary (2.0.42, 2.0.50)",
    "custom-title, file-history-snapshot, queue-operation, summary (2.0.76)",
    "custom-title, file-history-snapshot, queue-operation (2.1.29, 2.1.42)",
    "agent-name, custom-title, file-history-snapshot, last-prompt, permission-mode, queue-operation (2.1.110)",
    "agent-name, api-request, api-request-blob, api-request-shape, atis-latch, cost-state, custom-title, file-history-delta, file-history-snapshot, last-prompt, launched, mode, permission-mode, queue-operation, result, started, tools-used (2.1.330)",
  ],
  "fields of every line with a uuid": [
    "cwd, gitBranch, isSidechain, parentUuid, sessionId, timestamp, type, userType, uuid, version (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42)",
    "cwd, entrypoint, gitBranch, isSidechain, parentUuid, sessionId, timestamp, type, userType, uuid, version (2.1.110, 2.1.330)",
  ],
  "agents' logs": [
    "none (1.0.128)",
    "agent-<8 hex>.jsonl (2.0.42, 2.0.50)",
    "agent-<7 hex>.jsonl (2.0.76)",
    "<session>/subagents/agent-<7 hex>.jsonl (2.1.29, 2.1.42)",
    "<session>/subagents/agent-<17 hex>.jsonl (2.1.110)",
    "<session>/subagents/agent-<17 hex>.jsonl, <session>/subagents/workflows/<workflow>/agent-<17 hex>.jsonl (2.1.330)",
  ],
  "agents' lines are sidechains with an agentId": [
    "none (1.0.128)",
    "yes (2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  "a main log is named after its lines' sessionId": [
    "yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110)",
    "not all (2.1.330)",
  ],
  "blocks on an assistant line": ["1 (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)"],
  "a block of an answer hangs from the block before": [
    "yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110)",
    "not all (2.1.330)",
  ],
  "lines of one answer follow one another": [
    "yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.42, 2.1.110)",
    "no (2.1.29, 2.1.330)",
  ],
  "stop reasons": [
    "end_turn, null, tool_use (1.0.128, 2.0.50, 2.0.76)",
    "end_turn, tool_use (2.0.42, 2.1.110, 2.1.330)",
    "null, stop_sequence (2.1.29)",
    "null (2.1.42)",
  ],
  "results on a line": ["1 (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110)", "1, 3 (2.1.330)"],
  "types of lines with results": ["user (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)"],
  "a result hangs from its own call": [
    "not all (1.0.128, 2.0.42, 2.0.50, 2.0.76)",
    "yes (2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  toolUseResult: [
    "object, string (1.0.128, 2.0.42, 2.0.50, 2.0.76)",
    "object, string, undefined (2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  "failed results begin with Error:": [
    "yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  "parents are in the log of their line": [
    "yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.42, 2.1.110, 2.1.330)",
    "not all (2.1.29)",
  ],
  "parents are written": ["yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)"],
  "answers hang from progress": [
    "no (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.110, 2.1.330)",
    "yes (2.1.29, 2.1.42)",
  ],
  "times are in the order of the lines": [
    "not all (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  "system lines": [
    "compact_boundary (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42)",
    "compact_boundary, local_command (2.1.110)",
    "compact_boundary, local_command, turn_duration (2.1.330)",
  ],
  "queue operations": [
    "none (1.0.128)",
    "dequeue, enqueue, remove (2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  "a summary's leaf is in its own log": [
    "yes (1.0.128, 2.0.42, 2.0.50)",
    "not all (2.0.76)",
    "none (2.1.29, 2.1.42, 2.1.110, 2.1.330)",
  ],
  "an update's messageId is its snapshot's": [
    "none (1.0.128, 2.1.330)",
    "no (2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110)",
  ],
  backups: ["none (1.0.128)", "object (2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)"],
  "thinking is signed": ["yes (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)"],
  "flags of older formats": ["none (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.29, 2.1.42, 2.1.110, 2.1.330)"],
  "answers without a requestId": [
    "no (1.0.128, 2.0.42, 2.0.50, 2.0.76, 2.1.42, 2.1.110, 2.1.330)",
    "yes (2.1.29)",
  ],
};

test("the fixtures are what each version wrote, as the descriptions of the format state it, or otherwise", () => {
  const found = Object.entries(QUESTIONS).map(([question, ask]) => [question, answersOf(ask)]);
  expect(Object.fromEntries(found)).toEqual(ANSWERS);
});
