import { expect, test } from "vitest";
import { renameHeld } from "./rename-held.mjs";

/** Refuses so often, with the code that the system gives. */
function held(times: number, code = "EPERM") {
  let tries = 0;
  const rename = () => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(code), { code });
  };
  return { rename, tries: () => tries };
}

const waitsMs = [0, 0, 0];

test.each(["EPERM", "EACCES", "EBUSY"])(
  "on Windows a file that a virus scanner holds is renamed when it is released (%s)",
  (code) => {
    const { rename, tries } = held(2, code);
    renameHeld("draft", "file", { platform: "win32", rename, waitsMs });
    expect(tries()).toBe(3);
  },
);

test("a permanent refusal is thrown, and one for another reason, or on another system, at once", () => {
  for (const [platform, code, most] of [
    ["win32", "EPERM", 4],
    ["win32", "ENOSPC", 1],
    ["linux", "EPERM", 1],
  ] as const) {
    const { rename, tries } = held(9, code);
    expect(() => renameHeld("draft", "file", { platform, rename, waitsMs })).toThrow(code);
    expect([platform, code, tries()]).toEqual([platform, code, most]);
  }
});
