// oxlint-disable-next-line no-restricted-imports -- the one place
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { withBasePath } from "@/lib/client/base-path";

type To = {
  /** As if Backscroll were at the root of its host. */
  href: string;
};

/** A link to another of our pages, which the router opens. */
export function Link({ href, ...rest }: Omit<ComponentProps<typeof NextLink>, "href"> & To) {
  return <NextLink {...rest} href={withBasePath(href)} />;
}

/** A link to another of our pages that the browser opens anew, unless a handler of the click does something else. */
export function PlainLink({ href, children, ...rest }: Omit<ComponentProps<"a">, "href"> & To) {
  return (
    <a {...rest} href={withBasePath(href)}>
      {children}
    </a>
  );
}
