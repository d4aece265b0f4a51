import { expect, it } from "vitest";
import { tokenMatches } from "./authorise";

const TOKEN = "oxdlxxvEQN5TCQZEwSndZFOE6DKs-KroL_BE-I81-vc";

it("takes the token as a bearer and nothing else", () => {
  expect(tokenMatches(`Bearer ${TOKEN}`, TOKEN)).toBe(true);
  expect(tokenMatches(`bearer ${TOKEN}`, TOKEN)).toBe(true);
  for (const header of [null, "", TOKEN, "Bearer", "Bearer ", `Basic ${TOKEN}`, `Bearer  ${TOKEN}`]) {
    expect(tokenMatches(header, TOKEN)).toBe(false);
  }
  for (const other of [
    TOKEN.slice(1),
    `${TOKEN}x`,
    TOKEN.toUpperCase(),
    `${TOKEN}, ${TOKEN}`,
    `${TOKEN}\u0000`,
  ]) {
    expect(tokenMatches(`Bearer ${other}`, TOKEN)).toBe(false);
  }
});

it("lets nobody in where no token is set", () => {
  expect(tokenMatches("Bearer undefined", undefined)).toBe(false);
  expect(tokenMatches("Bearer ", "")).toBe(false);
});
