import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NumberCell } from "./session-row";

/** What a reader hears and sees, without the tags. */
const text = (value: number | null) =>
  renderToStaticMarkup(<NumberCell label="Errors" value={value} format={String} />)
    .replace(/<[^>]+>/g, " ")
    .trim()
    .replace(/\s+/g, " ");

test("a number that is not known is never a 0", () => {
  expect(text(null)).toBe("not counted yet");
  expect(text(0)).toBe("· 0");
  expect(text(14)).toBe("14");
});
