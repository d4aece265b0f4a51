import { ChevronLeft, Menu as MenuIcon } from "lucide-react";
import { Icon } from "./icon";
import { PageLink } from "./page-link";

/** The way from a page to the library. `back`: an arrow where the page is narrow. */
export function LibraryLink({ back = false }: { back?: boolean }) {
  return (
    <PageLink
      href="/"
      aria-label="Library"
      title="Library"
      className="inline-flex size-6 flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-raised hover:text-fg"
    >
      <Icon of={MenuIcon} className={back ? "max-sm:hidden" : undefined} />
      {back && <Icon of={ChevronLeft} className="sm:hidden" />}
    </PageLink>
  );
}
