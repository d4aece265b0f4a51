import { expect, test } from "vitest";
import { makeSummary } from "@/lib/testing/session-summary";
import type { ProjectId } from "@/lib/wire/ids";
import { toProjects } from "./project-list";
import type { SessionEntry } from "./session-registry";

/** A session of a project, last active at a time that may not be known. */
function entry(project: string, lastActiveAtMs: number | null): SessionEntry {
  return {
    files: { projectId: project as ProjectId, projectPath: `/home/dev/${project}` },
    summary: makeSummary({ title: project, lastActiveAtMs }),
    draft: { pathGuessed: false },
  } as SessionEntry;
}

const activeAt = (entries: SessionEntry[]) =>
  toProjects(entries, () => null).map(({ path, lastActiveAtMs }) => `${path} ${lastActiveAtMs}`);

test("a project was last active when the latest of its sessions was, in whichever order they are listed", () => {
  const sessions = [entry("shop", 2_000), entry("shop", null), entry("shop", 3_000), entry("shop", 1_000)];
  expect(activeAt(sessions)).toEqual(["/home/dev/shop 3000"]);
  expect(activeAt(sessions.toReversed())).toEqual(["/home/dev/shop 3000"]);
});

test("projects are listed by that time, those without one last and by path", () => {
  expect(
    activeAt([entry("yak", null), entry("shop", 1_000), entry("emu", null), entry("tides", 2_000)]),
  ).toEqual(["/home/dev/tides 2000", "/home/dev/shop 1000", "/home/dev/emu null", "/home/dev/yak null"]);
});
