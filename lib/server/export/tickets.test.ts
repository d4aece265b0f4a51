import { expect, test } from "vitest";
import { Tickets } from "./tickets";

const PATH = "/api/sessions/a/export?format=md";
const OWNER = { share: null };

test("a ticket is good once, for its path, for a minute", () => {
  const tickets = new Tickets();
  const { ticket, expiresAtMs } = tickets.issue(PATH, OWNER, 1_000);
  expect(expiresAtMs).toBe(61_000);
  expect(tickets.redeem(ticket, PATH, 60_999)).toEqual(OWNER);
  expect(tickets.redeem(ticket, PATH, 60_999)).toBeNull();
});

test("a ticket for another path, a late one and an invented one are refused", () => {
  const tickets = new Tickets();
  expect(
    tickets.redeem(tickets.issue(PATH, OWNER, 0).ticket, "/api/sessions/b/export?format=md", 1),
  ).toBeNull();
  expect(tickets.redeem(tickets.issue(PATH, OWNER, 0).ticket, PATH, 60_000)).toBeNull();
  expect(tickets.redeem("x".repeat(43), PATH, 1)).toBeNull();
});

test("tickets that nobody takes do not pile up", () => {
  const tickets = new Tickets();
  const first = tickets.issue(PATH, OWNER, 0).ticket;
  for (let i = 0; i < 2_000; i++) tickets.issue(PATH, OWNER, 1);
  expect(tickets.redeem(first, PATH, 2)).toBeNull();
});
