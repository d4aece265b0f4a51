import { expect, test } from "vitest";
import { spellControls, toPrintableJson } from "./control-characters";

test("controls become their pictures, or their numbers where they have none", () => {
  expect(spellControls("\u001b]0;x\u0007 a\rb\u007f\u009b31m\ttab\nline é\u00a0")).toBe(
    "␛]0;x␇ a␍b␡\\x9b31m\ttab\nline é\u00a0",
  );
});

test("JSON holds no control character and still means the same", () => {
  const value = { "k\u009d": "\u0000\u001b[2J\u007f\u0080\u009f\u00a0é" };
  const text = toPrintableJson(value);
  expect(text).toBe('{"k\\u009d":"\\u0000\\u001b[2J\\u007f\\u0080\\u009f\u00a0é"}');
  expect(JSON.parse(text)).toEqual(value);
  expect(toPrintableJson(undefined)).toBe("null");
});
