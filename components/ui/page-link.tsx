import Link from "next/link";
import type { ComponentProps } from "react";
import { isWriting } from "@/lib/client/address-writes";
import { useOpenPage } from "@/lib/client/use-open-page";

/** A link to another page that may be followed right behind a keystroke: what was typed is kept, and the page opens. */
export function PageLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, "href"> & { href: string }) {
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
