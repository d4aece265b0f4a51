import { z } from "zod";
import { formatPlural } from "@/lib/format/format";
import { tellingOfMany } from "../mcp-world";
import { tool } from "../tool";
import { facts, formatMomentOrNone } from "../words";

/** Lists the folders that have sessions. */
export const listProjects = tool({
  name: "list_projects",
  title: "Projects",
  description:
    "Lists the working directories that have Claude Code sessions, those used last first, with how many each has.",
  input: z.object({}),
  answer: async (world) => {
    const said = await tellingOfMany(world);
    const projects = world.catalog
      .projects()
      .sort((a, b) => (b.lastActiveAtMs ?? 0) - (a.lastActiveAtMs ?? 0));
    const lines = projects.map(({ path, sessions, running, lastActiveAtMs }) =>
      facts(
        path,
        formatPlural(sessions, "session"),
        running > 0 && `${running} running`,
        formatMomentOrNone(lastActiveAtMs),
      ),
    );
    return { recorded: said(lines.join("\n")), note: "" };
  },
});
