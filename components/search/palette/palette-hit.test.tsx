// @vitest-environment page
import { Command } from "cmdk";
import { expect, it } from "vitest";
import { formatHitSource } from "@/components/search/hit-row";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import { detailOfField, isWithin } from "@/lib/wire/search";
import { PaletteHit } from "./palette-hit";

it("a hit in a field that only a newer server knows is shown under that field's name, by rows of every detail", async () => {
  const hit = makeHit({ field: "reasoning" as never, snippet: "please retry it" });
  await drawnPage().draw(
    <Command>
      <Command.List>
        <PaletteHit hit={hit} stands={undefined} title={null} place={null} onSelect={() => undefined} />
      </Command.List>
    </Command>,
  );
  expect(document.body.textContent).toContain("please retry it");
  expect(formatHitSource(hit, undefined)).toBe("reasoning");
  expect(isWithin(detailOfField(hit.field), "tools")).toBe(false);
});
