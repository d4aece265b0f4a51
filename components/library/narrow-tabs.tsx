import { ListFilter, Radio, Search, Share, TextAlignStart } from "lucide-react";
import { TabBar } from "@/components/ui/frame";
import { Icon } from "@/components/ui/icon";
import { openPageDialog } from "@/lib/client/page-dialogs";
import { useLibraryFilters } from "./use-library-filters";

/** The bottom bar of a narrow page. */
export function NarrowTabs({ onSearch }: { onSearch: () => void }) {
  const [{ running }, setFilters] = useLibraryFilters();
  return (
    <TabBar label="Library">
      <button
        type="button"
        aria-current={running ? undefined : "page"}
        onClick={() => setFilters({ running: false })}
      >
        <Icon of={TextAlignStart} />
        Sessions
      </button>
      <button
        type="button"
        aria-current={running ? "page" : undefined}
        onClick={() => setFilters({ running: true })}
      >
        <Icon of={Radio} />
        Running
      </button>
      <button type="button" onClick={onSearch}>
        <Icon of={ListFilter} />
        Filter
      </button>
      <button type="button" onClick={() => openPageDialog("go-to")}>
        <Icon of={Search} />
        Search
      </button>
      <button type="button" onClick={() => openPageDialog("share")}>
        <Icon of={Share} />
        Share
      </button>
    </TabBar>
  );
}
