import { expect, test } from "vitest";
import { atOnce } from "@/lib/format/in-steps";
import { boundaryOf, planRequest } from "@/lib/log/request/request-plan";
import { listRequests } from "@/lib/log/requests/request-list";
import { readRecords } from "@/lib/server/session/read-records";
import { linesOf, usageOf } from "@/lib/testing/raw-lines";
import { RECORDED_VERSIONS, type RecordedVersion } from "@/lib/testing/recorded";
import { openRecording } from "@/lib/testing/recordings";
import { settled } from "@/lib/testing/transcript";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { requestIndex } from "../request/rebuild-request";

/** Requests that miss one or two of the records, where a branch was copied or an answer's lines are in two files. */
const NEARLY: Partial<Record<RecordedVersion, number>> = { "2.1.29": 3, "2.1.330": 9 };

test.each(RECORDED_VERSIONS)(
  "%s: a request sends what the ones before it did and what it adds",
  async (version) => {
    const { folder } = await openRecording(version);
    let nearly = 0;
    let same = 0;
    for (const { id } of folder.catalog.summaries()) {
      const session = await folder.sessions.latest(id);
      const { table, graph } = session;
      const index = requestIndex(session);
      const read = await readRecords(
        session,
        Array.from({ length: table.records.size }, (_, n) => n),
      );
      const requests = atOnce(listRequests(table, graph, index, read));
      const sent = new Map<number, number[]>();
      for (const [nth, { before, boundary, added, record }] of requests.entries()) {
        const all = [...(boundary === -1 ? (sent.get(before) ?? []) : []), ...added];
        sent.set(nth, all);
        const begins = read(boundaryOf(table, index, record));
        const plan = planRequest(table, graph, index, record, { boundary: begins });
        const rebuilt = plan.sent.filter((one) => !graph.retriedMessages.has(table.records.message.at(one)));
        // /branch copies lines with their uuids: either copy is the same.
        const uuids = (records: readonly number[]) =>
          new Set(records.map((one) => table.records.uuid.at(one)));
        const [ours, theirs] = [uuids(all), uuids(rebuilt)];
        const missing = [...theirs].filter((one) => !ours.has(one));
        const more = [...ours].filter((one) => !theirs.has(one));
        expect(missing.length + more.length, `${id} ${session.recordId(record)}`).toBeLessThanOrEqual(2);
        if (missing.length + more.length === 0) same += 1;
        else nearly += 1;
      }
    }
    expect(nearly).toBe(NEARLY[version] ?? 0);
    expect(same).toBeGreaterThan(80);
  },
);

test.each(RECORDED_VERSIONS)(
  "%s: each answer of the API is one request, and its parts are all it sent",
  async (version) => {
    const { folder } = await openRecording(version);
    for (const { id } of folder.catalog.summaries()) {
      const requests = await settled(() => folder.sessions.requests(id));
      const told = usageOf(linesOf(folder.catalog, id));
      const sum = (of: (request: SessionRequest) => number) =>
        requests.reduce((all, one) => all + of(one), 0);
      expect(
        sum(({ input }) => input),
        id,
      ).toBe(told.input);
      expect(
        sum(({ output }) => output),
        id,
      ).toBe(told.output);
      expect(
        sum(({ cacheRead }) => cacheRead),
        id,
      ).toBe(told.cacheRead);
      expect(
        sum(({ cacheWrite5m, cacheWrite1h }) => cacheWrite5m + cacheWrite1h),
        id,
      ).toBe(told.cacheWrite);
      for (const { input, cacheRead, cacheWrite5m, cacheWrite1h, parts, miss } of requests) {
        // The API of the recordings counts as if all of it were cached.
        expect(miss, id).toBeNull();
        const all = Object.values(parts).reduce((one, other) => one + other, 0);
        expect(all, id).toBe(input + cacheRead + cacheWrite5m + cacheWrite1h);
      }
    }
  },
);
