import { clsx } from "clsx";
import { Link } from "./link";
import { LibraryLink } from "./page-link";

/** How the bar of a page begins that is below the library: the way there. `short`: its sign alone where the page is narrow. */
export function HomeCrumb({ short = false }: { short?: boolean }) {
  return (
    <>
      <span className={clsx("flex flex-none items-center gap-3", short && "max-sm:hidden")}>
        <Link href="/" className="font-semibold hover:underline">
          Backscroll
        </Link>
        <Slash />
      </span>
      {short && (
        <span className="flex flex-none sm:hidden">
          <LibraryLink />
        </span>
      )}
    </>
  );
}

/** Between two steps of the way to a page. */
export function Slash() {
  return (
    <span aria-hidden="true" className="text-fg-3">
      /
    </span>
  );
}
