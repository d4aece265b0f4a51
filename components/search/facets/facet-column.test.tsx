// @vitest-environment page
import { act } from "react";
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { makeHit } from "@/lib/testing/search-hit";
import type { ProjectId } from "@/lib/wire/ids";
import type { Project } from "@/lib/wire/library";
import type { SearchHit } from "@/lib/wire/search";
import { type Facets, NO_FACETS } from "../search-facets";
import type { KnownHitFacts } from "../use-hit-facts";
import { FacetColumn } from "./facet-column";

const NOTHING: KnownHitFacts = { statesOf: () => [], branchOf: () => null, complete: true };

async function draw(
  hits: readonly SearchHit[],
  projects: readonly Pick<Project, "id" | "path">[] = [],
  facts = NOTHING,
  onChange: (change: Partial<Facets>) => void = () => undefined,
) {
  await drawnPage().draw(
    <FacetColumn
      hits={hits}
      facets={NO_FACETS}
      facts={facts}
      projects={projects as Project[]}
      growing={false}
      onChange={onChange}
    />,
  );
}

it("projects with the same name are shown with their folders", async () => {
  const paths = ["/home/dev/work/api", "/home/dev/api", "/home/dev/shop"];
  const projects = paths.map((path, n) => ({ id: `p${n}` as ProjectId, path }));
  await draw(
    projects.map(({ id }) => ({ ...makeHit({}), projectId: id })),
    projects,
  );
  const labels = [...document.querySelectorAll("label")].map(({ textContent }) => textContent);
  expect(labels).toEqual(expect.arrayContaining(["api in ~/work1", "api in ~1", "shop1"]));
});

it("days of another year say which", async () => {
  const year = new Date().getFullYear() - 1;
  await draw([{ ...makeHit({}), atMs: new Date(year, 5, 14, 12).getTime() }]);
  expect(document.body.textContent).toContain(`14 Jun ${year}`);
});

it("who shows the rest of the values goes on at the first of those", async () => {
  await draw(Array.from({ length: 12 }, (_, n) => makeHit({ project: `p${n}` })));
  const [more] = [...document.querySelectorAll("button")].filter(
    ({ textContent }) => textContent === "Show 4 more",
  );
  more?.focus();
  await act(async () => more?.click());
  const inputs = [...document.querySelectorAll("fieldset")].map((one) => [...one.querySelectorAll("input")]);
  expect(inputs.find((own) => own.length === 12)?.indexOf(document.activeElement as HTMLInputElement)).toBe(
    8,
  );
});

it("a single value is never put behind a button, which would take its room", async () => {
  await draw(Array.from({ length: 9 }, (_, n) => makeHit({ project: `p${n}` })));
  const projects = [...document.querySelectorAll("fieldset")].find(
    (one) => one.querySelector("legend")?.textContent === "Project",
  );
  expect(projects?.querySelectorAll("input")).toHaveLength(9);
  expect(projects?.querySelector("button")).toBeNull();
});

it("states and git branches are counted; counts are minimums while states are still asked for", async () => {
  const hits = [makeHit({ record: "1" }), makeHit({ record: "2" })];
  const facts: KnownHitFacts = {
    statesOf: ({ recordId }) => (recordId === "1" ? ["abandoned", "compacted"] : null),
    branchOf: () => "fix/retry",
    complete: false,
  };
  await draw(hits, [], facts);
  const groups = [...document.querySelectorAll("fieldset")].map((one) => [
    one.querySelector("legend")?.textContent,
    ...[...one.querySelectorAll("label")].map(({ textContent }) => textContent),
  ]);
  expect(groups).toContainEqual(["State", "On an abandoned branch1+", "Before a compaction1+"]);
  expect(groups).toContainEqual(["Branch", "fix/retry2"]);
});

it("each group filters by its own values", async () => {
  const changes: Partial<Facets>[] = [];
  const hit = { ...makeHit({ project: "p1" }), tool: "Bash" };
  const facts: KnownHitFacts = { statesOf: () => ["error"], branchOf: () => "main", complete: true };
  await draw([hit], [], facts, (change) => changes.push(change));
  const boxes = [...document.querySelectorAll<HTMLInputElement>("fieldset input[type=checkbox]")];
  for (const box of boxes) await act(async () => box.click());
  expect(changes).toEqual([
    { fields: [hit.field] },
    { tools: ["Bash"] },
    { threads: ["main"] },
    { projects: [hit.projectId] },
    { states: ["error"] },
    { branches: ["main"] },
  ]);
});
