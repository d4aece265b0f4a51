import { z } from "zod";
import { formatPlural } from "@/lib/format/format";
import { tellingOfMany } from "../mcp-world";
import { tool } from "../tool";
import { briefName, facts, formatMomentOrNone, MAX_ANSWER } from "../words";

/** Lists the folders that have sessions. */
export const listProjects = tool({
  name: "list_projects",
  title: "Projects",
  description:
    "Lists the working directories that have Claude Code sessions, those used last first, with how many each has.",
  input: z.object({
    offset: z.number().int().min(0).default(0).describe("How many an earlier answer has told"),
  }),
  answer: async (world, { offset }) => {
    const said = await tellingOfMany(world);
    const projects = world.catalog
      .projects()
      .sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
    const lines = projects.map(({ path, sessions, running, lastActiveAtMs }) =>
      facts(
        briefName(said(path)),
        formatPlural(sessions, "session"),
        running > 0 && `${running} running`,
        formatMomentOrNone(lastActiveAtMs),
      ),
    );
    const told: string[] = [];
    let length = 0;
    for (const line of lines.slice(offset)) {
      length += line.length + 1;
      if (told.length > 0 && length > MAX_ANSWER) break;
      told.push(line);
    }
    const next = offset + told.length;
    const note =
      next < lines.length
        ? `${formatPlural(lines.length, "project")}; ask again with offset ${next} for more`
        : "";
    return { recorded: said(told.join("\n")), note };
  },
});
