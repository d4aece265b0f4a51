import { expect, it } from "vitest";
import { clockOf, rangeOf, timeKeys } from "./days";

const at = (time: string) => Date.parse(time) / 1000;

it("groups by days, weeks and months of the reader's clock, also where that changes", () => {
  const day = (zone: string, time: string) => timeKeys("day", clockOf(zone))(at(time));
  // Half past nine in the evening of the 15th in New York.
  expect(day("America/New_York", "2026-11-16T02:30:00Z")).toBe("2026-11-15");
  expect(day("Asia/Kathmandu", "2026-11-15T18:15:00Z")).toBe("2026-11-16");
  expect(day("Asia/Kathmandu", "2026-11-15T18:14:59Z")).toBe("2026-11-15");
  // The clock in Berlin goes from +2 to +1 on the 25th of October.
  const berlin = timeKeys("day", clockOf("Europe/Berlin"));
  const days = [
    "2026-10-24T21:59:59Z",
    "2026-10-24T22:00:00Z",
    "2026-10-25T22:59:59Z",
    "2026-10-25T23:00:00Z",
  ];
  expect(days.map((time) => berlin(at(time)))).toEqual([
    "2026-10-24",
    "2026-10-25",
    "2026-10-25",
    "2026-10-26",
  ]);
  expect(timeKeys("week", clockOf("America/New_York"))(at("2026-11-16T02:30:00Z"))).toBe("2026-11-09");
  expect(timeKeys("month", clockOf("Asia/Tokyo"))(at("2026-11-30T15:00:00Z"))).toBe("2026-12");
  expect(berlin(0)).toBe("");
});

it("a day begins at its first moment where the clock changes at midnight, and at no moment of the day before", () => {
  const startOf = (day: string, zone: string) =>
    new Date(rangeOf({ from: { day }, to: null, zone }).fromMs ?? 0).toISOString();
  // Set forward at midnight: the day begins at one o'clock.
  expect(startOf("2026-09-06", "America/Santiago")).toBe("2026-09-06T04:00:00.000Z");
  expect(startOf("2026-03-08", "America/Havana")).toBe("2026-03-08T05:00:00.000Z");
  expect(startOf("2026-04-24", "Africa/Cairo")).toBe("2026-04-23T22:00:00.000Z");
  // Set back at one o'clock to midnight, which it shows twice.
  expect(startOf("2026-11-01", "America/Havana")).toBe("2026-11-01T04:00:00.000Z");
  for (const zone of [
    "Asia/Kathmandu",
    "Pacific/Apia",
    "America/St_Johns",
    "Australia/Lord_Howe",
    "America/Santiago",
  ]) {
    const day = timeKeys("day", clockOf(zone));
    for (let n = 0; n < 366; n++) {
      const name = new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);
      const start = at(startOf(name, zone));
      expect(day(start)).toBe(name);
      expect(day(start - 1) < name).toBe(true);
    }
  }
});

it("a range of days begins and ends at the reader's midnights, a range of moments exactly there", () => {
  const days = { from: { day: "2026-10-25" }, to: { day: "2026-10-25" } };
  expect(rangeOf({ ...days, zone: "Europe/Berlin" })).toEqual({
    fromMs: Date.parse("2026-10-24T22:00:00Z"),
    toMs: Date.parse("2026-10-25T23:00:00Z"),
  });
  const own = { fromMs: new Date(2026, 9, 25).getTime(), toMs: new Date(2026, 9, 26).getTime() };
  for (const zone of [null, "Middle-earth/Shire"]) expect(rangeOf({ ...days, zone })).toEqual(own);
  expect(rangeOf({ from: { ms: 1 }, to: { ms: 2 }, zone: "Asia/Tokyo" })).toEqual({ fromMs: 1, toMs: 2 });
  expect(rangeOf({ from: null, to: null, zone: null })).toEqual({ fromMs: null, toMs: null });
});
