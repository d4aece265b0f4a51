import { describe, expect, test } from "vitest";
import type { RecordId } from "@/lib/wire/ids";
import type { RequestMiss, SessionRequest } from "@/lib/wire/model-requests/session-requests";
import {
  axisTop,
  causeAbout,
  causeHint,
  causeName,
  missedRequests,
  missesByCause,
  partSeries,
  requestBars,
  timeLabels,
} from "./request-series";

const miss = (microUsd: number | null, more: Partial<RequestMiss> = {}): RequestMiss => ({
  cause: "model",
  recordId: "m~1" as RecordId,
  block: null,
  lostTokens: 5000,
  microUsd,
  exact: false,
  difference: null,
  ...more,
});

const request = (tokens: number, more: Partial<SessionRequest> = {}): SessionRequest => ({
  recordId: `m~${tokens}` as RecordId,
  atMs: 0,
  agentId: null,
  model: "claude-opus-4-5",
  context: tokens,
  passes: 1,
  advisors: [],
  input: 0,
  output: 10,
  cacheRead: tokens,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  window: 200_000,
  compactedAt: null,
  parts: { base: tokens },
  miss: null,
  ...more,
});

describe("requests", () => {
  test("a bar of several shows the fullest, and what is marked in any of them", () => {
    const list = [
      request(10),
      request(30, { miss: miss(1) }),
      request(20, { compactedAt: "m~0" as RecordId }),
      request(5),
      request(6, { miss: miss(1) }),
    ];
    expect(requestBars(list, 0, 5, 2)).toMatchObject([
      { from: 0, to: 3, shown: 1, misses: 1, compacted: true },
      { from: 3, to: 5, shown: 4, misses: 1, compacted: false },
    ]);
    expect(requestBars(list, 1, 3, 100)).toMatchObject([
      { from: 1, to: 2 },
      { from: 2, to: 3 },
    ]);
    expect(requestBars([], 0, 0, 0)).toEqual([]);
  });

  test("the tools that returned most have a colour, the others share one", () => {
    const parts = { base: 9, "result:Read": 50, "result:mcp__shop__price": 40, "result:Bash": 30 };
    const one = request(200, { parts: { ...parts, "result:Grep": 5, "result:Glob": 4 } });
    const series = partSeries([one, request(9)]);
    expect(series.map(({ name, of }) => `${name} ${of(one)}`)).toEqual([
      "system and tools 9",
      "Read results 50",
      "shop price results 40",
      "Bash results 30",
      "other results 9",
    ]);
    // What is drawn is all that there is.
    expect(series.reduce((sum, { of }) => sum + of(one), 0)).toBe(138);
  });

  test("the axis ends at the window, unless nothing comes near it", () => {
    expect(axisTop([request(90_000)])).toBe(200_000);
    expect(axisTop([request(210_000)])).toBe(210_000);
    expect(axisTop([request(10_000)])).toBeCloseTo(11_000);
    expect(axisTop([request(80_000, { window: null })])).toBeCloseTo(88_000);
  });
});

describe("misses", () => {
  test("the costliest come first, those without a price last; causes are added up", () => {
    const missed = missedRequests([
      request(1, { miss: miss(null, { cause: "expired", lostTokens: 9000 }) }),
      request(2, { miss: miss(10) }),
      request(3),
      request(4, { miss: miss(30) }),
    ]);
    expect(missed.map(({ number }) => number)).toEqual([4, 2, 1]);
    expect(missesByCause(missed)).toEqual([
      { cause: "model", count: 2, microUsd: 40, lostTokens: 10_000 },
      { cause: "expired", count: 1, microUsd: 0, lostTokens: 9000 },
    ]);
  });

  test("an expiry says how long the cache is kept, and how long it was not used", () => {
    const difference = { ageMs: 720_000, ttlMs: 300_000 };
    expect(causeAbout(miss(1, { cause: "expired", difference }))).toBe(
      "Last used 12 m before; kept for 5 m.",
    );
    expect(causeAbout(miss(1))).toBe("Each model has a cache of its own.");
  });
});

const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 30, 5).getTime();
const barsAt = (times: number[]) =>
  requestBars(
    times.map((atMs) => request(1, { atMs })),
    0,
    times.length,
    100,
  );

test("the times below the bars say on which day, where a session goes on over several", () => {
  const labels = (times: number[]) =>
    timeLabels(barsAt(times), 40, 1000).map(({ x, text }) => `${x / 40} ${text}`);
  expect(labels([at(20, 9), at(20, 9), at(20, 9), at(20, 9), at(20, 11)])).toEqual([
    "0 09:30:05",
    "4 11:30:05",
  ]);
  expect(labels([at(20, 9), at(20, 10), at(20, 11), at(21, 9), at(22, 9), at(22, 9), at(22, 12)])).toEqual([
    "0 20 Nov 09:30",
    "2 11:30:05",
    "4 22 Nov 09:30",
    "6 12:30:05",
  ]);
});

test("the last time below the bars ends with them, or is left out where the one before it stands there", () => {
  const days = barsAt([20, 21, 22].map((day) => at(day, 9)));
  expect(timeLabels(days, 80, 240).map(({ x }) => x)).toEqual([0, 80, 160]);
  expect(timeLabels(days, 80, 236).map(({ x }) => x)).toEqual([0, 80, 158]);
  const hours = barsAt([9, 10, 11, 12, 13].map((hour) => at(20, hour)));
  expect(timeLabels(hours, 40, 200)).toEqual([
    { x: 0, text: "09:30:05" },
    { x: 80, text: "11:30:05" },
    { x: 148, text: "13:30:05" },
  ]);
  const close = barsAt([9, 10].map((hour) => at(20, hour)));
  expect(timeLabels(close, 78, 100).map(({ x }) => x)).toEqual([0]);
});

test("a cause that only a newer server knows is told by its own word", () => {
  const cause = "other-region" as never;
  expect(causeName(cause)).toBe("other region");
  expect([causeHint(cause), causeAbout({ cause } as never)]).toEqual(["", ""]);
});
