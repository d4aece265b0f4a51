import type { SessionTruth } from "@/lib/testing/generate/truth";
import type { SessionsResponse } from "@/lib/wire/library";
import type { SessionDetail } from "@/lib/wire/session";
import { treeCorpus } from "../harness/corpus";
import type { Row, Section } from "../harness/section";
import {
  type BenchServer,
  untilAnswer,
  untilScanned,
  whenScanned,
  withDataDir,
  withServer,
} from "../harness/server";

const MAX_LISTED = 5;

/**
 * Correctness: what the server counts, compared with the generator's manifest. Fast but wrong figures are worthless.
 */
export const truth: Section = {
  name: "truth",
  async run(bench) {
    const { dir, truth: tree } = treeCorpus(bench, bench.quick ? 4 << 20 : 64 << 20);
    return withDataDir((dataDir) =>
      withServer({ claudeDirs: [dir], dataDir }, async (server) => {
        await untilAnswer(server);
        await untilScanned(server);
        const wrong = await findDifferences(server, tree.sessions);
        for (const text of wrong.slice(0, 40)) bench.say(text);
        const list = await server.get<SessionsResponse>("/api/sessions?limit=1");
        return [
          rowOf("sessions listed", list?.total ?? 0, tree.sessions.length, []),
          rowOf(
            "sessions whose counts are the manifest's",
            tree.sessions.length - new Set(wrong.map((text) => text.split(" ")[0])).size,
            tree.sessions.length,
            [...new Set(wrong.map((text) => text.split(" ")[1]!))],
          ),
        ];
      }),
    );
  },
};

async function findDifferences(server: BenchServer, sessions: readonly SessionTruth[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const session of sessions) {
    const detail = await whenScanned<SessionDetail>(server, `/api/sessions/${session.id}`);
    for (const [what, wanted, found] of pairs(session, detail)) {
      if (JSON.stringify(wanted) === JSON.stringify(found)) continue;
      wrong.push(`${session.id} ${what} ${JSON.stringify(wanted)} ≠ ${JSON.stringify(found)}`);
    }
  }
  return wrong;
}

function* pairs(wanted: SessionTruth, found: SessionDetail): Generator<[string, unknown, unknown]> {
  const { counts, usage } = found;
  const plain = ["records", "unreadable", "unknown", "turns", "messages", "toolCalls", "toolErrors"] as const;
  const more = ["thinking", "images", "compactions", "branches", "agents"] as const;
  for (const field of [...plain, ...more]) yield [field, wanted[field], counts[field]];
  yield ["toolCallsByName", sorted(wanted.toolCallsByName), sorted(counts.toolCallsByName)];
  yield ["files", Object.keys(wanted.files).length, counts.files];
  yield ["usage", sorted(wanted.usage), sorted(usage)];
  yield ["versions", sorted(wanted.versions), sorted(found.versions)];
  yield ["titleSource", wanted.titleSource, found.titleSource];
  yield ["project", wanted.cwd, found.project.path];
  yield ["bytes", wanted.transcriptBytes, found.bytes];
}

function sorted(record: Record<string, number>): [string, number][] {
  return Object.entries(record).toSorted(([a], [b]) => a.localeCompare(b));
}

function rowOf(label: string, right: number, all: number, fields: readonly string[]): Row {
  const named = fields.slice(0, MAX_LISTED).join(", ");
  return {
    label,
    budget: "all",
    measured: `${right} of ${all}`,
    samples: all,
    ratio: null,
    ok: right === all,
    ...(named ? { note: `differ: ${named}` } : {}),
  };
}
