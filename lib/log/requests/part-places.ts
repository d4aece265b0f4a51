import type { SessionGraph } from "@/lib/log/graph/session-graph";
import { BlockKind, RecordKind } from "@/lib/log/table/kinds";
import type { SessionTable } from "@/lib/log/table/session-table";
import { toolNamed } from "@/lib/tools/tools";

/**
 * The parts into which a request is split, each at its index. `base`: system prompt and tools together, where the log
 * has neither. Results of tools are `result:<name>`, at indexes after these.
 */
export const Part = {
  base: 0,
  system: 1,
  tools: 2,
  summary: 3,
  prompts: 4,
  answers: 5,
  thinking: 6,
  reports: 7,
  attachments: 8,
} as const;

/** The parts of a session's requests, each at its place. Tools get theirs as they come. */
export class PartPlaces {
  readonly #table: SessionTable;
  readonly #graph: SessionGraph;
  readonly names: string[] = Object.keys(Part);
  readonly #ofTool = new Map<number, number>();

  constructor(table: SessionTable, graph: SessionGraph) {
    this.#table = table;
    this.#graph = graph;
  }

  /** The part to which a block's size is added. */
  of(record: number, block: number): number {
    const { records, blocks } = this.#table;
    switch (records.kind.at(record)) {
      case RecordKind.assistant:
      case RecordKind.synthetic:
        return blocks.kind.at(block) === BlockKind.thinking ? Part.thinking : Part.answers;
      case RecordKind.results:
        return this.#ofResult(blocks.call.at(block));
      case RecordKind.attachment:
        return this.#graph.notified.has(record) ? Part.reports : Part.attachments;
      case RecordKind.notification:
        return Part.reports;
      case RecordKind.compactSummary:
      case RecordKind.compactBoundary:
        return Part.summary;
      default:
        return Part.prompts;
    }
  }

  #ofResult(call: number): number {
    if (call === -1) return Part.prompts;
    const { calls, tools } = this.#table;
    const tool = calls.use.at(call) === -1 ? -1 : calls.tool.at(call);
    const known = this.#ofTool.get(tool);
    if (known !== undefined) return known;
    const name = tools.at(tool);
    const place = toolNamed(name)?.starts === "agent" ? Part.reports : this.#placeOf(`result:${name ?? "?"}`);
    this.#ofTool.set(tool, place);
    return place;
  }

  #placeOf(name: string): number {
    const known = this.names.indexOf(name);
    return known === -1 ? this.names.push(name) - 1 : known;
  }
}
