import type { ComponentProps } from "react";

/** In the place of `next/link`: a file has no other page to go to, so a link is what it says. */
export default function Link({ children, className, title }: ComponentProps<"a">) {
  return (
    <span className={className} title={title}>
      {children}
    </span>
  );
}
