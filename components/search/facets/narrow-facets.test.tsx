// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import type { ProjectId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import { NO_FACETS } from "../search-facets";
import { NarrowFacets } from "./narrow-facets";

it("without a left column, projects, tools, threads and branches are menus that name what is chosen", async () => {
  const projects = ["/home/dev/api", "/home/dev/shop"].map((path, n) => ({ id: `p${n}` as ProjectId, path }));
  const hits = projects.flatMap(({ id }, n) => [
    { ...makeHit({}), projectId: id, tool: n === 0 ? "Bash" : "\u3164" },
    { ...makeHit({}), projectId: id, tool: "Read" },
  ]);
  const changes: unknown[] = [];
  await drawnPage().draw(
    <NarrowFacets
      hits={hits}
      facets={{ ...NO_FACETS, projects: ["p1"] }}
      facts={{ statesOf: () => [], branchOf: () => "main", complete: true }}
      projects={projects as Project[]}
      onChange={(change) => changes.push(change)}
    />,
  );
  const menus = [...document.querySelectorAll<HTMLElement>("button[aria-haspopup=menu]")];
  expect(menus.map((menu) => [menu.textContent, menu.getAttribute("aria-pressed")])).toEqual([
    ["shop", "true"],
    ["Tool", "false"],
  ]);
  await act(async () =>
    menus[1]?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
  );
  const items = [...document.querySelectorAll<HTMLElement>("[role=menuitemcheckbox]")];
  expect(items.map(({ textContent }) => textContent)).toEqual(["Any tool", "(blank name)1", "Read1"]);
  await act(async () => items[2]?.click());
  expect(changes).toEqual([{ tools: ["Read"] }]);
});
