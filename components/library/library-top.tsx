import { Ellipsis, Keyboard, Settings, Share, Stethoscope } from "lucide-react";
import { ShareButton } from "@/components/share/share-button";
import { IconButton } from "@/components/ui/icon-button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { PageLink } from "@/components/ui/page-link";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { totalTokens } from "@/lib/client/total-tokens";
import { useOpenPage } from "@/lib/client/use-open-page";
import { useProjects, useTotals } from "@/lib/client/use-projects";
import { formatBytes } from "@/lib/format/format-bytes";
import { formatPlural } from "@/lib/format/format-count";
import { formatTokens } from "@/lib/format/format-tokens";
import { splitPath } from "@/lib/format/split-path";
import type { ListedProject } from "@/lib/wire/library";
import { totalWords } from "./total-words";
import { useLibraryFilters } from "./use-library-filters";

/** The library's bar: where we are, what there is in all, and the page's menu. */
export function LibraryTop() {
  const [filters] = useLibraryFilters();
  const projects = useProjects().data;
  const openPage = useOpenPage();
  const project = projects?.find(({ id }) => id === filters.project);
  const place = project ? splitPath(project.path).name : filters.running ? "Running now" : "All sessions";
  return (
    <>
      <h1 className="flex-none font-semibold max-sm:text-15">Backscroll</h1>
      <span aria-hidden="true" className="text-fg-3 max-sm:hidden">
        /
      </span>
      <span className="min-w-0 flex-1 truncate text-fg-2 max-sm:invisible" title={project?.path}>
        {place}
      </span>
      <PageLink href="/now" className="flex-none text-12 text-fg-2 hover:text-fg">
        Now
      </PageLink>
      {projects && projects.length > 0 ? <TotalsOf projects={project ? [project] : projects} /> : null}
      <span className="max-sm:hidden">
        <ShareButton />
      </span>
      <Menu label="Page" align="end" trigger={<IconButton icon={Ellipsis} label="More" />}>
        <MenuItem icon={Share} keys="s" onSelect={() => openPageDialog("share")}>
          Share this view
        </MenuItem>
        <MenuItem icon={Settings} keys="," onSelect={() => openPageDialog("settings")}>
          Settings
        </MenuItem>
        <MenuItem icon={Stethoscope} onSelect={() => openPage("/doctor")}>
          What was read
        </MenuItem>
        <MenuItem icon={Keyboard} keys="?" onSelect={() => openPageDialog("keys")}>
          All keys
        </MenuItem>
      </Menu>
    </>
  );
}

/** What there is in the chosen project, or in all of them. */
function TotalsOf({ projects }: { projects: readonly ListedProject[] }) {
  const everything = useTotals().data ?? null;
  const sessions = projects.reduce((sum, project) => sum + project.sessions, 0);
  const bytes = projects.reduce((sum, project) => sum + project.bytes, 0);
  const [only] = projects;
  const totals = only && projects.length === 1 ? only.totals : everything;
  const parts = [
    formatPlural(sessions, "session"),
    projects.length > 1 ? formatPlural(projects.length, "project") : null,
    formatBytes(bytes),
    totals && formatTokens(totalTokens(totals.usage)),
  ];
  return (
    <span
      className="flex-none text-12 text-fg-3 tabular-nums max-sm:hidden"
      title={totals ? totalWords(totals) : undefined}
    >
      {parts.filter(Boolean).join(" · ")}
    </span>
  );
}
