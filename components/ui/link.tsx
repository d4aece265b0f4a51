// oxlint-disable-next-line no-restricted-imports -- the one place
import NextLink from "next/link";
import type { ComponentProps, MouseEvent, MouseEventHandler } from "react";
import { withBasePath } from "@/lib/client/address/base-path";
import { whenThere } from "@/lib/client/connection/when-there";

type To = {
  /** As if Backscroll were at the root of its host. */
  href: string;
};

/** A link to another of our pages, which the router opens. */
export function Link({ href, onClick, ...rest }: Omit<ComponentProps<typeof NextLink>, "href"> & To) {
  return <NextLink {...rest} onClick={clickedWhenThere(onClick)} href={withBasePath(href)} />;
}

/** A link to another of our pages that the browser opens anew, unless a handler of the click does something else. */
export function PlainLink({ href, onClick, children, ...rest }: Omit<ComponentProps<"a">, "href"> & To) {
  return (
    <a {...rest} onClick={clickedWhenThere(onClick)} href={withBasePath(href)}>
      {children}
    </a>
  );
}

/** Links whose click is on its way again. */
const passing = new WeakSet<Element>();

/** What a click does, put off until it is known that there is a server to open the page. Another tab has an error of its own. */
function clickedWhenThere(
  onClick: MouseEventHandler<HTMLAnchorElement> | undefined,
): MouseEventHandler<HTMLAnchorElement> {
  return (event) => {
    const link = event.currentTarget;
    if (passing.delete(link)) return;
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event, link)) return;
    let isAtOnce = true;
    let isThere = false;
    whenThere(() => {
      isThere = true;
      if (isAtOnce) return;
      passing.add(link);
      // One that stood in a menu has gone with it.
      if (link.isConnected) link.click();
      else window.location.assign(link.href);
    });
    isAtOnce = false;
    if (!isThere) event.preventDefault();
  };
}

function opensElsewhere(event: MouseEvent, { target }: HTMLAnchorElement): boolean {
  const hasKey = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  return hasKey || event.button !== 0 || (target !== "" && target !== "_self");
}
