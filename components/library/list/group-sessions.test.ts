import { expect, test } from "vitest";
import { makeSummary } from "@/lib/testing/session-summary";
import { groupSessions, type LibraryItem } from "./group-sessions";

// A Saturday: the week began on the 16th.
const NOW = new Date(2026, 10, 21, 14, 58).getTime();
const active = (title: string, month: number, day: number, hour = 9, year = 2026) =>
  makeSummary({ title, lastActiveAtMs: new Date(year, month - 1, day, hour).getTime() });

const written = (items: LibraryItem[]) =>
  items.map((item) =>
    item.kind === "group" ? `${item.label} ${item.count ?? "?"}` : `  ${item.session.title}`,
  );

const SESSIONS = [
  active("a", 11, 21),
  { ...active("b", 11, 21, 8), state: "running" as const },
  active("c", 11, 20, 23),
  active("d", 11, 16, 1),
  active("e", 11, 15),
  active("f", 11, 9, 0),
  active("g", 11, 8),
  active("h", 10, 2),
  active("i", 10, 2, 9, 2025),
  makeSummary({ title: "j", lastActiveAtMs: null }),
];

test("running ones first, then by time", () => {
  expect(written(groupSessions(SESSIONS, { sort: "active", nowMs: NOW, complete: true }))).toEqual([
    "Running 1",
    "  b",
    "Today 1",
    "  a",
    "Yesterday 1",
    "  c",
    "This week 1",
    "  d",
    "Last week 2",
    "  e",
    "  f",
    "November 1",
    "  g",
    "October 1",
    "  h",
    "October 2025 1",
    "  i",
    "No time 1",
    "  j",
  ]);
});

test("the last group's count is not known while more may come", () => {
  const items = groupSessions(SESSIONS.slice(0, 3), { sort: "active", nowMs: NOW, complete: false });
  expect(written(items).filter((line) => !line.startsWith(" "))).toEqual([
    "Running 1",
    "Today 1",
    "Yesterday ?",
  ]);
});

test("an order that is not by time has no headings and moves nothing", () => {
  const items = groupSessions(SESSIONS.slice(0, 3), { sort: "tokens", nowMs: NOW, complete: true });
  expect(written(items)).toEqual(["  a", "  b", "  c"]);
});

test("a session that was written since the list was loaded is placed by its time, under a heading that occurs once", () => {
  const renewed = [
    active("a", 11, 21),
    active("b", 11, 20),
    active("resumed", 11, 21, 10),
    makeSummary({ title: "j", lastActiveAtMs: null }),
  ];
  expect(written(groupSessions(renewed, { sort: "active", nowMs: NOW, complete: true }))).toEqual([
    "Today 2",
    "  resumed",
    "  a",
    "Yesterday 1",
    "  b",
    "No time 1",
    "  j",
  ]);
});

test("a session dated by a clock that is ahead is not listed under today", () => {
  const ahead = [active("a", 12, 24), active("b", 11, 21, 23), active("c", 11, 21, 9)];
  const soon = makeSummary({ title: "soon", lastActiveAtMs: NOW + 60_000 });
  const items = groupSessions([...ahead.slice(0, 2), soon, ...ahead.slice(2)], {
    sort: "active",
    nowMs: NOW,
    complete: true,
  });
  expect(written(items)).toEqual(["In the future 2", "  a", "  b", "Today 2", "  soon", "  c"]);
});
