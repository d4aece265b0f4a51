import { expect, it } from "vitest";
import { readOptions } from "../options.mjs";

it("takes a session, a place in it, and what a start takes", () => {
  expect(readOptions(["open", "74c3", "--port", "0"], {})).toMatchObject({
    command: { name: "open", session: "74c3", at: null },
    port: 0,
    paths: [],
  });
  for (const at of ["m~1k9", "m~1k9.2", "m~1k9.2:L12-20"])
    expect(readOptions(["open", "74c3", "--at", at], {}).command).toMatchObject({ at });
});

it.each([
  [["open"], "give the session to open: backscroll open SESSION."],
  [["open", "74c3", "--at", "row 3"], '"row 3" names no record.'],
  [["open", "74c3", "--json"], "--json belongs to"],
])("refuses %j", (args, reason) => {
  expect(() => readOptions(args, {})).toThrow(reason);
});
