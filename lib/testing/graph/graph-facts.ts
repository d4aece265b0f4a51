import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { membersOf } from "@/lib/log/graph/steps";
import type { SessionLog, SessionTable } from "@/lib/log/table/session-table";
import { at } from "@/lib/log/table/table";

/** A graph without numbers that depend on what was read first: records by file and offset, all else by its records. */
export function graphFacts(table: SessionTable, logs: readonly SessionLog[], graph: SessionGraph) {
  const { records, blocks, calls } = table;
  const { steps, threads } = graph;
  const name = (record: number) =>
    record === -1 ? "-" : `${logs[records.file.at(record)]?.key}~${records.offset.at(record)}`;
  const stepName = (step: number) => (step === -1 ? "-" : name(at(steps.first, step)));
  const callName = (call: number) => {
    const block = call === -1 ? -1 : Math.max(calls.use.at(call), calls.result.at(call));
    return block === -1 ? "-" : `${name(blocks.record.at(block))}.${blocks.index.at(block)}`;
  };
  const all = Array.from({ length: records.size }, (_, record) => record).sort((a, b) =>
    name(a) < name(b) ? -1 : 1,
  );
  const named = (map: ReadonlyMap<number, number>, value: (to: number) => string) =>
    [...map].map(([from, to]) => `${name(from)} ${value(to)}`).sort();
  return {
    records: all.map((record) => {
      const step = at(steps.of, record);
      const home = `${stepName(step)} under ${stepName(at(steps.parent, step))}`;
      const thread = threads[at(graph.threadOf, record)]?.agentId ?? "main";
      const stepThread = threads[at(steps.thread, step)]?.agentId ?? "main";
      return `${name(record)} ← ${name(at(graph.parents, record))} ${home} ${thread} ${stepThread} ${at(steps.live, step)}`;
    }),
    steps: all
      .filter((record) => at(steps.first, at(steps.of, record)) === record)
      .map((record) => [...membersOf(steps, at(steps.of, record))].map(name).join(" ")),
    threads: threads.map(({ call, resumes, end, file, ...thread }) => ({
      ...thread,
      file: logs[file]?.key,
      call: callName(call),
      resumes: resumes.map(callName),
      end: end && { ...end, record: name(end.record) },
    })),
    branches: graph.branches.map((list) =>
      list.map(
        ({ leaf, leafRecord, ownFrom }) => `${stepName(leaf)} ${name(leafRecord)} ${stepName(ownFrom)}`,
      ),
    ),
    queuedTurns: named(graph.queuedTurns, name),
    copies: named(graph.duplicates, name),
    takenBack: [...graph.takenBack].map(name).sort(),
    notified: named(graph.notified, (thread) => threads[thread]?.agentId ?? "main"),
    broken: all.filter((record) => graph.retriedMessages.has(records.message.at(record))).map(name),
  };
}
