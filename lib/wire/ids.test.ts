import fc from "fast-check";
import { expect, test } from "vitest";
import {
  branchIdOf,
  formatRecordId,
  formatRowKey,
  ID_PATTERN,
  isRecordId,
  parseRecordId,
  parseRowKey,
  RECORD_ID_PATTERN,
  type RecordId,
  ROW_KEY_PATTERN,
  sidechainAgentId,
  uuidOfSession,
} from "./ids";

const is = (pattern: string, text: string) => new RegExp(`^${pattern}$`).test(text);
const places = fc.record({
  file: fc.stringMatching(/^[a-z0-9]{1,32}$/),
  offset: fc.nat(Number.MAX_SAFE_INTEGER),
});

test("a record id leads back to its place, and passes the check of what comes from outside", () => {
  expect(formatRecordId("m", 2025)).toBe("m~1k9");
  fc.assert(
    fc.property(places, ({ file, offset }) => {
      const id = formatRecordId(file, offset);
      expect(parseRecordId(id)).toEqual({ file, offset });
      expect([is(RECORD_ID_PATTERN, id), is(ID_PATTERN, id), isRecordId(id)]).toEqual([true, true, true]);
      expect(is(RECORD_ID_PATTERN, branchIdOf(id))).toBe(true);
    }),
  );
});

test("a row's key leads back to its record and block", () => {
  fc.assert(
    fc.property(places, fc.nat(999_999), ({ file, offset }, block) => {
      const recordId = formatRecordId(file, offset);
      const key = formatRowKey(recordId, block);
      expect(parseRowKey(key)).toEqual({ recordId, block });
      expect(is(ROW_KEY_PATTERN, key)).toBe(true);
    }),
  );
});

test("what is no record id has no place in a log", () => {
  for (const text of ["nonsense", "m~", "~", ""])
    expect(parseRecordId(text as RecordId)).toEqual({ file: "", offset: -1 });
  expect(isRecordId("toolu_01A")).toBe(false);
  expect(isRecordId("5e9f4c1a-0000-4000-8000-000000000000")).toBe(false);
});

test("an agent inside the main log has an id that a request can name", () => {
  expect(sidechainAgentId(2025)).toBe("side1k9");
  expect(is(ID_PATTERN, sidechainAgentId(2025))).toBe(true);
});

test("a session's id leads to the name that its client has for it", () => {
  const uuid = "0197d3a2-5b1c-7e44-9a10-2f6f4f0c1d2e";
  expect(uuidOfSession(uuid)).toBe(uuid);
  expect(uuidOfSession(`${uuid}.3k`)).toBe(uuid);
  expect(uuidOfSession(`old-${uuid}.jsonl`)).toBe(uuid);
  expect(uuidOfSession("rollout-1")).toBeNull();
});
