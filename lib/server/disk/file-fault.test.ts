import { expect, it } from "vitest";
import { explainFault, isFileDamage, isMissing, mayPass } from "./file-fault";

const fault = (code: string) => Object.assign(new Error(`${code}: open`), { code });

it("explains why something cannot be read", () => {
  const words = ["EACCES", "ELOOP", "ENOENT", "EBUSY", "EMFILE", "EIO"].map(
    (code) => explainFault(fault(code)).message,
  );
  expect(words).toEqual([
    "Permission denied",
    "It is a symbolic link",
    "It is no longer there",
    "Another program has it open for itself",
    "Too many files are open",
    "Reading failed (EIO)",
  ]);
  expect(isMissing(fault("ENOTDIR"))).toBe(true);
  expect(isMissing(new Error("ENOENT"))).toBe(false);
});

it("recognizes faults that may pass", () => {
  const passing = ["EMFILE", "EIO", "ESTALE", "EACCES", "ENOENT", "ELOOP"].filter((code) =>
    mayPass(fault(code)),
  );
  expect(passing).toEqual(["EMFILE", "EIO", "ESTALE"]);
  expect(mayPass(new Error("EIO"))).toBe(false);
});

it("tells damage of a file from faults around it", () => {
  const around = ["EMFILE", "EIO", "EACCES", "EPERM", "ENOENT", "ELOOP"].filter((code) =>
    isFileDamage(fault(code)),
  );
  expect(around).toEqual([]);
  expect(
    [fault("EISDIR"), new SyntaxError("no JSON"), new TypeError("another shape")].map(isFileDamage),
  ).toEqual([true, true, true]);
});
