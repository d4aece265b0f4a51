import { at } from "@/lib/log/table/table";
import { eachString } from "@/lib/redact/json-strings";
import type { OpenSession } from "@/lib/server/session/open-session";
import type { ClonePlan } from "./clone-plan";

const NONE = -1;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Names are no longer than this: longer strings are texts. */
const MAX_NAME = 64;

/**
 * The content of a line, what was sent of it, and its origin (2.1.110 and later): none of these contain a name of this
 * session's.
 */
const CONTENT =
  /^(?:message|toolUseResult|content|forkedFrom|attachment\.(?:prompt|content|rendered))(?:$|[.[])/;

/** References that lead to the nearest kept record above if their own was left out. */
const NEAREST = new Set(["parentUuid", "logicalParentUuid", "leafUuid"]);

/** The names in a clone: a session id and a uuid for each record, made when they are first asked for. */
export class CloneNames {
  readonly #session: OpenSession;
  readonly #plan: ClonePlan;
  readonly #ids: { before: string; now: string };
  readonly #newId: () => string;
  /** The name of the record above the first one, for records that have lost all above them. */
  root: string | null = null;
  readonly #names = new Map<number, string>();
  /** Number of a uuid → its record, kept ones first. */
  readonly #recordOf: Int32Array;

  constructor(
    session: OpenSession,
    plan: ClonePlan,
    ids: { before: string; now: string },
    newId: () => string,
  ) {
    this.#session = session;
    this.#plan = plan;
    this.#ids = ids;
    this.#newId = newId;

    const { records } = session.table;
    this.#recordOf = new Int32Array(session.table.uuids.size).fill(NONE);
    for (let record = 0; record < plan.kept.length; record++) {
      const uuid = records.uuid.at(record);
      if (uuid === NONE) continue;
      const known = at(this.#recordOf, uuid);
      if (known === NONE || (!plan.kept[known] && plan.kept[record])) this.#recordOf[uuid] = record;
    }
  }

  /**
   * The line of a record with its names replaced, everything else byte for byte: `line` has its bytes as characters.
   * Names of records and sessions that are not this one's stay.
   */
  rename(line: string, record: number): string {
    const parts: string[] = [];
    let copied = 0;
    eachString(line, ({ start, end, key, isKey, field }) => {
      if (isKey || start === end || end - start > MAX_NAME) return;
      const name = this.#renamed(line.slice(start, end), key, record);
      if (name === undefined || CONTENT.test(field())) return;
      parts.push(line.slice(copied, start - 1), name === null ? "null" : `"${name}"`);
      copied = end + 1;
    });
    return copied === 0 ? line : parts.join("") + line.slice(copied);
  }

  /** Undefined for a value that is no name, null if nothing is left that the reference could lead to. */
  #renamed(text: string, key: string, of: number): string | null | undefined {
    if (text === this.#ids.before) return this.#ids.now;
    if (!UUID.test(text) && !/uuid/i.test(key) && key !== "messageId") return undefined;
    const uuid = this.#session.table.uuids.find(text);
    const record = uuid === NONE ? NONE : at(this.#recordOf, uuid);
    if (record === NONE) return undefined;
    if (!NEAREST.has(key) || this.#plan.kept[record]) return this.#nameOf(uuid);
    // A line does not always follow the record that it names (1.0.60); a duplicate follows its original.
    const { parents, duplicates } = this.#session.graph;
    const follows = key === "parentUuid" && !duplicates.has(of);
    const above = this.#keptFrom(follows ? at(parents, of) : record);
    return above === NONE ? this.root : this.#nameOf(this.#session.table.records.uuid.at(above));
  }

  #nameOf(uuid: number): string {
    const known = this.#names.get(uuid) ?? this.#newId();
    this.#names.set(uuid, known);
    return known;
  }

  /**
   * The nearest record, from this one upwards, that is kept and has a name. Parents have no circles: every walk ends.
   */
  #keptFrom(record: number): number {
    const { graph, table } = this.#session;
    let above = record;
    while (above !== NONE && !(this.#plan.kept[above] && table.records.uuid.at(above) !== NONE))
      above = at(graph.parents, above);
    return above;
  }
}
