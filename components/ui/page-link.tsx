import { clsx } from "clsx";
import { ChevronLeft, Menu as MenuIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { isWriting, useOpenPage } from "@/lib/client/address/address-writes";
import { Icon } from "./icon";
import { Link } from "./link";

/**
 * A link to another page that may be followed right after a keystroke: it first lets the URL write of that key finish.
 */
export function PageLink({ href, ...rest }: ComponentProps<typeof Link>) {
  const openPage = useOpenPage();
  return (
    <Link
      {...rest}
      href={href}
      prefetch={false}
      onNavigate={(event) => {
        if (!isWriting()) return;
        event.preventDefault();
        openPage(href);
      }}
    />
  );
}

/** The link to the library. `back` shows an arrow where the page is narrow. */
export function LibraryLink({ back = false }: { back?: boolean }) {
  return (
    <PageLink
      href="/"
      aria-label="Library"
      title="Library"
      className="inline-flex size-6 max-sm:-mx-1 max-sm:size-8 flex-none items-center justify-center rounded-2 text-fg-2 hover:bg-raised hover:text-fg"
    >
      <Icon of={MenuIcon} className={back ? "max-sm:hidden" : undefined} />
      {back && <Icon of={ChevronLeft} className="sm:hidden" />}
    </PageLink>
  );
}

/** Classes of a link in a side column, around a `NavItem`. */
export function navItemClass(current: boolean): string {
  return clsx(
    "grid min-h-[calc(26px*var(--u))] grid-cols-[16px_minmax(0,1fr)_auto] content-center items-baseline gap-x-2 px-3 -outline-offset-2!",
    current ? "sel-bar bg-sel" : "hover:bg-raised",
  );
}

/** The content of a link in a side column: mark, label, and a count or note at the right. */
export function NavItem({ mark, note, children }: { mark: ReactNode; note: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className="flex justify-center self-center">{mark}</span>
      <span className="truncate">{children}</span>
      <span className="text-11 text-fg-3 tabular-nums">{note}</span>
    </>
  );
}
