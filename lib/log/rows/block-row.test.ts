import { expect, it } from "vitest";
import { citationsOf } from "./block-row";

it("lists a text's sources, each once", () => {
  const citations = [
    { type: "web_search_result_location", url: "https://a.test/x", title: "A", cited_text: "…" },
    { type: "web_search_result_location", url: "https://a.test/x", title: "A" },
    { type: "char_location", document_title: "report.pdf" },
    null,
  ];
  expect(citationsOf({ type: "text", citations })).toEqual([
    { url: "https://a.test/x", title: "A" },
    { url: null, title: "report.pdf" },
  ]);
  expect(citationsOf({ type: "text" })).toBeUndefined();
});

it("lists no more sources than a reader looks at, whatever shape they have", () => {
  const citations = Array.from({ length: 50 }, (_, n) => ({ source: `https://a.test/${n}` }));
  const found = citationsOf({ type: "text", citations }) ?? [];
  expect(found).toHaveLength(30);
  expect(found[0]).toEqual({ url: "https://a.test/0", title: "https://a.test/0" });
});
