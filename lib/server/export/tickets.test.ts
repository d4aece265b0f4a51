import { expect, onTestFinished, test, vi } from "vitest";
import { Tickets } from "./tickets";

const PATH = "/api/sessions/a/export?format=md";
const OWNER = { share: null };

test("a ticket is valid once, for its path, for a minute", () => {
  const tickets = new Tickets();
  const { ticket, expiresAtMs } = tickets.issue(PATH, OWNER, 1_000);
  expect(expiresAtMs).toBe(61_000);
  expect(tickets.redeem(ticket, PATH, 60_999)).toEqual(OWNER);
  expect(tickets.redeem(ticket, PATH, 60_999)).toBeNull();
});

test("a ticket ends after a minute, even if the clock is set back, or the machine sleeps", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const tickets = new Tickets();
  const [setBack, slept] = [tickets.issue(PATH, OWNER).ticket, tickets.issue(PATH, OWNER).ticket];
  const begunMs = Date.now();
  vi.setSystemTime(begunMs + 3_600_000);
  expect(tickets.redeem(slept, PATH)).toBeNull();
  vi.setSystemTime(begunMs - 3_600_000);
  vi.advanceTimersByTime(59_999);
  expect(tickets.redeem(tickets.issue(PATH, OWNER).ticket, PATH)).toEqual(OWNER);
  vi.advanceTimersByTime(1);
  expect(tickets.redeem(setBack, PATH)).toBeNull();
});

test("a ticket for another path, a late one and an invented one are refused", () => {
  const tickets = new Tickets();
  expect(
    tickets.redeem(tickets.issue(PATH, OWNER, 0).ticket, "/api/sessions/b/export?format=md", 1),
  ).toBeNull();
  expect(tickets.redeem(tickets.issue(PATH, OWNER, 0).ticket, PATH, 60_000)).toBeNull();
  expect(tickets.redeem("x".repeat(43), PATH, 1)).toBeNull();
});

test("a path is the same in every spelling of its query", () => {
  const tickets = new Tickets();
  const path = "/api/sessions/a~1/export?format=md&except=email.2,user.1&branch=m~1k9";
  const escaped = path.replace("email.2,user.1", "email.2%2Cuser.1").replace("m~1k9", "m%7E1k9");
  expect(tickets.redeem(tickets.issue(path, OWNER, 0).ticket, escaped, 1)).toEqual(OWNER);
  expect(tickets.redeem(tickets.issue(path, OWNER, 0).ticket, escaped.replace("1k9", "1ka"), 1)).toBeNull();
});

test("unused tickets do not accumulate", () => {
  const tickets = new Tickets();
  const first = tickets.issue(PATH, OWNER, 0).ticket;
  for (let i = 0; i < 2_000; i++) tickets.issue(PATH, OWNER, 1);
  expect(tickets.redeem(first, PATH, 2)).toBeNull();
});

test("a guest who requests many tickets ends nobody else's", () => {
  const tickets = new Tickets();
  const { ticket } = tickets.issue(PATH, OWNER);
  for (let n = 0; n < 1_200; n++) tickets.issue(PATH, { share: "one" });
  expect(tickets.redeem(ticket, PATH)).toEqual(OWNER);
});

test("guests of several links who request many tickets end each other's, and not the owner's", () => {
  const tickets = new Tickets();
  const { ticket } = tickets.issue(PATH, OWNER);
  for (let n = 0; n < 1_000; n++) tickets.issue(PATH, { share: "one" });
  const other = tickets.issue(PATH, { share: "two" }).ticket;
  expect(tickets.redeem(ticket, PATH)).toEqual(OWNER);
  expect(tickets.redeem(other, PATH)).toEqual({ share: "two" });
});
