import { expect, test } from "vitest";
import { branchWidth, columnWidths, projectWidth } from "./column-widths";

test("each number column that fits on the page has its width", () => {
  const widths = columnWidths("active") as Record<string, string>;
  const pixels = (name: string) => widths[name]?.match(/\d+px/g);
  expect(pixels("--number-columns")).toEqual(["40px", "52px", "42px"]);
  expect(pixels("--number-columns-md")).toEqual(["40px", "44px", "52px", "56px", "42px"]);
  expect(pixels("--number-columns-xl")).toEqual(["40px", "44px", "44px", "52px", "56px", "42px"]);
  // By what the list is ordered is seen on every page.
  const byCost = columnWidths("cost") as Record<string, string>;
  expect(byCost["--number-columns"]?.match(/\d+px/g)).toEqual(["40px", "52px", "56px", "42px"]);
});

test("the columns of projects and branches are as wide as their longest names, within limits", () => {
  const project = (...names: string[]) => projectWidth(names.map((name) => ({ path: `/home/dev/${name}` })));
  expect(project("shop", "a-ledger-of-all")).toEqual({ "--project-column": "calc(112px * var(--u))" });
  expect(project()).toEqual(project("ab"));
  expect(project("x".repeat(80))).toEqual(project("x".repeat(30)));
  const branch = (...names: (string | null)[]) => branchWidth(names.map((gitBranch) => ({ gitBranch })));
  expect(branch(null, "fix/retry-test")).toEqual({ "--branch-column": "calc(15 * 7px * var(--u))" });
  expect(branch()).toEqual(branch("main"));
});
