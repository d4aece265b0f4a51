import { expect, it } from "vitest";
import type { SessionId } from "@/lib/wire/ids";
import { readAskedQuery } from "./asked-query";

const NOW_MS = Date.parse("2026-11-30T02:00:00Z");

/** The values of a query's dates in a zone. */
function dates(q: string, zone: string | null): string[] {
  const found: string[] = [];
  JSON.stringify(readAskedQuery(q, { here: null, zone, nowMs: NOW_MS }).query, (key, value: unknown) => {
    if (key === "value") found.push(String(value));
    return value;
  });
  return found;
}

it("dates of a query begin by the reader's clock, wherever in the query they are", () => {
  const q = "cart (after:2026-11-29 OR -before:2026-11) after:2026-11-29T08:30 tool:Bash";
  expect(dates(q, "America/New_York")).toEqual([
    "2026-11-29T05:00:00Z",
    "2026-11-01T04:00:00Z",
    "2026-11-29T13:30:00Z",
    "Bash",
  ]);
  // In New York it is still the evening before.
  expect(dates("after:today before:Yesterday", "America/New_York")).toEqual([
    "2026-11-29T05:00:00Z",
    "2026-11-28T05:00:00Z",
  ]);
  expect(dates("after:7d", "Asia/Tokyo")).toEqual(["7d"]);
  expect(dates("after:2026-11-29Z", "Asia/Tokyo")).toEqual(["2026-11-29Z"]);
  expect(dates("after:2026-11-29", null)).toEqual(["2026-11-29"]);
});

const from = (here: string | null) => ({ here: here as SessionId | null, zone: null, nowMs: NOW_MS });

it("in:this-session means the session that is open where it is asked, wherever in the query it is", () => {
  const { query, errors } = readAskedQuery("walrus (in:prompt OR -in:This-Session)", from("s-1234567"));
  expect(errors).toEqual([]);
  expect(query).toEqual({
    kind: "and",
    parts: [
      { kind: "word", text: "walrus" },
      {
        kind: "or",
        parts: [
          { kind: "filter", name: "in", value: "prompt" },
          { kind: "not", part: { kind: "filter", name: "session", value: "s-1234567" } },
        ],
      },
    ],
  });
});

it("where no session is open, in:this-session is pointed out and searched for as it is", () => {
  const { query, errors } = readAskedQuery("in:this-session", from(null));
  expect(errors).toEqual([
    {
      from: 0,
      to: 15,
      message: "in:this-session: no session is open here; session: takes the id of one",
    },
  ]);
  expect(query).toMatchObject({ text: "in:this-session" });
});
