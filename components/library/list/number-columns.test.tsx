import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { makeSummary } from "@/lib/testing/session-summary";
import { NumberCell, NumberCells, orderedFigure } from "./number-columns";

/** What a reader hears and sees, without the tags. */
const text = (value: number | null) =>
  renderToStaticMarkup(<NumberCell label="Errors" value={value} format={String} />)
    .replace(/<[^>]+>/g, " ")
    .trim()
    .replace(/\s+/g, " ");

test("an unknown number is never a 0", () => {
  expect(text(null)).toBe("not counted yet");
  expect(text(0)).toBe("· 0");
  expect(text(14)).toBe("14");
});

test("a row has the numbers of the catalogue, with errors marked", () => {
  const session = makeSummary({
    title: "a",
    turns: 3,
    toolCalls: 12,
    toolErrors: 2,
    tokens: 12_300,
    bytes: 2_000_000,
    cost: { microUsd: 184_000, unpricedTokens: 0, reportedMicroUsd: null },
  });
  const cells = (sort: "active" | "bytes") =>
    [
      ...renderToStaticMarkup(<NumberCells session={session} sort={sort} />).matchAll(
        /class="([^"]*)">(.*?)<\/span>(?=<span role|$)/g,
      ),
    ].map(
      ([, className = "", inside = ""]) =>
        `${inside.replace(/<[^>]+>/g, "")}${className.includes("text-err") ? " in red" : ""}${/max-\w+:hidden/.test(className) ? ", on wide pages" : ""}`,
    );
  expect(cells("active")).toEqual([
    "3",
    "12, on wide pages",
    "·0, on wide pages",
    "12k",
    "$0.18, on wide pages",
    "2 in red",
  ]);
  expect(cells("bytes")[3]).toBe("2.0 MB");
});

test("a narrow row has the figure that its list is ordered by", () => {
  const cost = { microUsd: 184_000, unpricedTokens: 0, reportedMicroUsd: null };
  const session = makeSummary({
    title: "a",
    turns: 3,
    toolCalls: 12,
    tokens: 12_300,
    bytes: 2_000_000,
    cost,
  });
  const figures = (["cost", "tokens", "tools", "bytes", "turns", "active"] as const).map((sort) =>
    orderedFigure(session, sort),
  );
  expect(figures).toEqual(["$0.18", "12k tok", "12 tools", "2.0 MB", null, null]);
  const unknown = makeSummary({ title: "b", toolCalls: null, tokens: null, cost: null });
  expect(orderedFigure(unknown, "cost")).toBeNull();
});

test("an unpriced cost is shown as such, never as $0", () => {
  const costOf = (microUsd: number | null, unpricedTokens: number) =>
    renderToStaticMarkup(
      <NumberCells
        session={makeSummary({ title: "a", cost: { microUsd, unpricedTokens, reportedMicroUsd: null } })}
        sort="active"
      />,
    );
  expect(costOf(null, 1200)).toContain("unpriced");
  expect(costOf(184_000, 1200)).toContain("$0.18 +");
  expect(costOf(184_000, 1200)).toContain("1,200 tokens of models without a known price");
});
