import { Doctor } from "@/lib/server/doctor/doctor";
import { examine } from "@/lib/server/doctor/examine";
import { exportSession } from "@/lib/server/export/export-session";
import { listExtras, readExtra } from "@/lib/server/extras/session-extras";
import { openLibraryIndex } from "@/lib/server/index/library-index";
import { Scanner } from "@/lib/server/index/scanner";
import { Catalog } from "@/lib/server/library/catalog";
import { usageOf } from "@/lib/server/library/usage";
import { RequestActivity } from "@/lib/server/runtime/slices";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { scan } from "@/lib/server/scan/scanned-session";
import { openSearch } from "@/lib/server/search/search";
import { createSessions, type SessionQueries } from "@/lib/server/session/sessions";
import { gathered, settled } from "@/lib/testing/transcript";
import { EXPORT_FORMAT_IDS } from "@/lib/wire/export-formats.mjs";
import type { AgentId, RecordId, SessionId } from "@/lib/wire/ids";
import type { Row } from "@/lib/wire/rows";
import { USAGE_BY } from "@/lib/wire/usage";

/** Answers by what was asked, as JSON; without what tells one run of a server from another, and where logs are. */
export type Answers = Map<string, string>;

/** A library opened as a server does. `readAnew`: sessions whose lines were read, since the index did not know them. */
export type OpenLibrary = { answers: Answers; readAnew: number };

const PAGE = { limit: 1000, cursor: null };
const QUERIES = ["the", "/to+l/", "is:error tool:Bash", "in:output a"];
/** To rebuild the last requests of a session reads all of it. */
const MAX_REQUESTS = 3;

/**
 * Asks a library everything that the API answers: of each session, branch, agent, record, call, blob and file.
 * @param asked which of its sessions are asked about one by one
 */
export async function everyAnswer(
  path: string,
  dataDir: string,
  asked: (ids: readonly SessionId[]) => SessionId[],
): Promise<OpenLibrary> {
  const catalog = new Catalog([{ path, kind: "config" }]);
  const index = openLibraryIndex(dataDir);
  const reading = index.index.bind(index);
  let readAnew = 0;
  index.index = (...one) => {
    readAnew += 1;
    return reading(...one);
  };
  const scanner = new Scanner(catalog, index, new RequestActivity());
  await catalog.list();
  await scanner.run();
  const sessions = createSessions(catalog, { scan }, undefined, () => scanner.totals);
  const search = openSearch({ catalog, scanner, index });
  const answers: Answers = new Map();
  const note = async (name: string, answer: () => unknown) => {
    answers.set(name, JSON.stringify(await answer(), withoutRun) ?? "");
  };
  try {
    await note("sessions", () =>
      catalog.sessions({ project: null, keep: null, withHidden: true, sort: "active", ...PAGE }),
    );
    await note("projects", () => catalog.projects());
    await note("totals", () => catalog.totals());
    for (const by of USAGE_BY) {
      const whole = { by, project: null, fromMs: null, toMs: null, agents: true, zone: null };
      await note(`usage ${by}`, () => usageOf(catalog, scanner.totals, whole, ""));
    }
    await note("outside", () => catalog.outsideFiles().map(({ file }) => [file.path, file.bytes]));
    await note("unread", () => catalog.unreadFiles());
    for (const q of QUERIES)
      await note(`search ${q}`, async () => {
        const found: string[] = [];
        for (let cursor: string | null = null; ; ) {
          const page = await search.page({ q, project: null, session: null, limit: 1000, cursor });
          found.push(...page.hits.map((hit) => JSON.stringify(hit)));
          cursor = page.nextCursor;
          if (cursor === null) return found.sort();
        }
      });
    const doctor = new Doctor(catalog, examine);
    await note("doctor", () => ofDoctor(doctor, null));
    for (const id of asked(catalog.summaries().map((one) => one.id))) {
      await note(`${id} doctor`, () => ofDoctor(doctor, id));
      await noteSession(catalog, sessions, id, (name, answer) => note(`${id} ${name}`, answer));
    }
  } finally {
    scanner.stop();
    search.stop();
    index.stop();
  }
  return { answers, readAnew };
}

type Note = (name: string, answer: () => unknown) => Promise<void>;

async function noteSession(
  catalog: Catalog,
  sessions: SessionQueries,
  id: SessionId,
  note: Note,
): Promise<void> {
  await note("detail", () => settled(() => sessions.detail(id)));
  await note("files", () => settled(() => sessions.files(id, PAGE)));
  await note("related", () => settled(() => sessions.related(id)));
  await note("graph", () => settled(() => sessions.graph(id)));
  await note("conversation", () => gathered(sessions.conversation(id)));
  const { branches } = await settled(() => sessions.branches(id, PAGE));
  const { agents } = await settled(() => sessions.agents(id, PAGE));
  await note("branches", () => branches);
  await note("agents", () => agents);
  const rows: Row[] = [];
  const threads = [
    ...branches.map((branch) => ({ branch: branch.id, agent: null })),
    ...agents.map(({ agentId }): { branch: null; agent: AgentId } => ({ branch: null, agent: agentId })),
  ];
  for (const thread of threads) {
    const name = `${thread.branch ?? ""} ${thread.agent ?? ""}`;
    const view = { ...thread, detail: "everything" as const, fold: [] };
    const query = { ...view, from: 0, count: 1_000_000, around: null };
    const answer = await settled(() => sessions.rows(id, query));
    rows.push(...answer.rows);
    await note(`rows ${name}`, () => answer);
    await note(`errors ${name}`, () => settled(() => sessions.errors(id, view)));
    await note(`minimap ${name}`, () => settled(() => sessions.minimap(id, { ...view, find: [] })));
    if (thread.agent === null)
      await note(`spans ${name}`, () =>
        settled(() => sessions.spans(id, { branch: thread.branch, turn: null, only: null })),
      );
    if (thread.agent === null)
      await note(`outline ${name}`, () =>
        settled(() => sessions.outline(id, { ...query, branch: thread.branch })),
      );
  }
  for (const recordId of new Set(rows.map((row) => row.recordId)))
    await noteRecord(sessions, id, recordId, note);
  const answers = rows.filter((row) => row.kind === "text").slice(-MAX_REQUESTS);
  for (const { recordId } of answers)
    await note(`messages ${recordId}`, () => orCode(() => settled(() => sessions.messages(id, recordId))));
  for (const row of rows) {
    if (row.kind !== "tool") continue;
    await note(`call ${row.key}`, () => settled(() => sessions.call(id, row.recordId, row.block)));
  }
  // The ids of a clone are new each time.
  for (const format of EXPORT_FORMAT_IDS.filter((one) => one !== "jsonl"))
    await note(`export ${format}`, async () => {
      const pieces: Buffer[] = [];
      const file = await exportSession(sessions, catalog.sessionFiles(id), { format });
      for await (const piece of file.pieces) pieces.push(Buffer.from(piece as Uint8Array));
      return withoutRunText(Buffer.concat(pieces).toString("latin1"));
    });
  await note("facts", () => settled(() => sessions.facts(id)));
  await note("requests", () => settled(() => sessions.requests(id)));
  const touched = await settled(() => sessions.touchedFiles(id));
  await note("touched files", () => touched);
  for (const { path } of touched) {
    await note(`versions ${path}`, () => orCode(() => settled(() => sessions.fileVersions(id, path))));
    await note(`file ${path}`, () =>
      orCode(() => settled(() => sessions.file(id, { path, at: null, blame: false, against: null }))),
    );
    await note(`blame ${path}`, () => orCode(() => settled(() => sessions.blame(id, path, null))));
  }
  const around = catalog.surroundings(id);
  const { extras } = await listExtras(around);
  await note("extras", () => extras);
  for (const extra of extras) await note(`extra ${extra.name}`, () => readExtra(around, extra.id));
}

async function noteRecord(
  sessions: SessionQueries,
  id: SessionId,
  recordId: RecordId,
  note: Note,
): Promise<void> {
  const record = await settled(() => sessions.record(id, recordId));
  await note(`record ${recordId}`, () => record);
  for (const blob of record.blobs)
    await note(`blob ${recordId} ${blob.n}`, () =>
      orCode(async () => {
        const { bytes, mediaType } = await sessions.blob(id, recordId, blob.n);
        return [mediaType, Buffer.from(bytes).toString("base64")];
      }),
    );
}

async function orCode(answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer();
  } catch (error) {
    if (isViewerError(error)) return error.code;
    throw error;
  }
}

/** A report without what it says of where logs are. */
async function ofDoctor(doctor: Doctor, session: SessionId | null): Promise<object> {
  const { kept: _, ...report } = await doctor.whole(session);
  return report;
}

/** What tells runs apart, and where logs are and so how a session is resumed. */
const OF_RUN = new Set(["revision", "storage", "resumeProblem", "restoreCommand"]);

function withoutRun(key: string, value: unknown): unknown {
  return OF_RUN.has(key) ? undefined : value;
}

function withoutRunText(text: string): string {
  return text
    .replace(/"(?:revision|storage)":(?:\d+|"\w+")/g, "")
    .replace(/"resumeProblem":(?:null|\{.*?\}),"restoreCommand":(?:null|".*?")/, "");
}
