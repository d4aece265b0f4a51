"use client";

import { clsx } from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useEffect } from "react";
import { focusOpener } from "@/lib/client/address/page-dialogs";
import { keepWhileComposing } from "@/lib/client/key-events";
import { holdKeys } from "@/lib/client/key-registry";
import { Button } from "./button";
import { bottomBar } from "./frame/bottom-bars";
import { Icon } from "./icon";
import { Kbd } from "./keys";

/**
 * A modal dialog. It draws its own scrim: Radix's overlay locks scrolling with an injected `<style>`, which the content
 * security policy blocks and a page that never scrolls does not need.
 */
export function Dialog({
  title,
  open,
  onOpenChange,
  className,
  footer,
  children,
}: {
  title: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its width as a `max-w-…` class; 640 px by default. */
  className?: string;
  footer?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => (open ? holdKeys() : undefined), [open]);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <div aria-hidden="true" className="fixed inset-0 z-30 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusWanted}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={keepWhileComposing}
          className={clsx(
            "fixed top-[min(12vh,96px)] left-1/2 z-40 flex max-h-[80vh] w-[calc(100%-24px)] -translate-x-1/2 flex-col",
            "overflow-hidden rounded-3 border border-line-2 bg-bg shadow-overlay focus:outline-none",
            className ?? "max-w-[640px]",
          )}
        >
          <div className="flex h-10 flex-none items-center gap-2 border-b border-line-2 pr-2 pl-4">
            <Radix.Title className="min-w-0 flex-1 truncate text-15 font-semibold">{title}</Radix.Title>
            <span className="flex max-sm:hidden">
              <Kbd>Esc</Kbd>
            </span>
            <Radix.Close asChild>
              <Button kind="quiet" aria-label="Close" className="w-control justify-center px-0!">
                <Icon of={X} small />
              </Button>
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-auto">{children}</div>
          {footer ? (
            <div
              ref={bottomBar}
              className="flex min-h-11 flex-none items-center gap-2 border-t border-line-2 bg-panel px-4 py-2 text-12 text-fg-2"
            >
              {footer}
            </div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the element marked `data-autofocus`, else the dialog itself, but never its Close button. */
function focusWanted(event: Event): void {
  event.preventDefault();
  if (!(event.target instanceof HTMLElement)) return;
  (event.target.querySelector<HTMLElement>("[data-autofocus]") ?? event.target).focus();
}

/** Radix would focus its own trigger, which dialogs that are opened by keys and menus don't have. */
export function returnFocus(event: Event): void {
  event.preventDefault();
  focusOpener();
}
