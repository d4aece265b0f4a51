"use client";

import { Dialog as Radix } from "radix-ui";
import { useEffect } from "react";
import { holdKeys } from "@/lib/client/key-registry";
import { Palette } from "./palette";

/** The palette over the page: sessions, projects, commands and hits in one field, opened from anywhere. */
export function PaletteDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  useEffect(() => (open ? holdKeys() : undefined), [open]);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        {/* Our own scrim, as in the kit's dialog: Radix's injects a style element. */}
        <div aria-hidden="true" className="fixed inset-0 z-30 bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[min(10vh,88px)] left-1/2 z-40 flex max-h-[72vh] w-[calc(100%-24px)] max-w-[720px] -translate-x-1/2 flex-col overflow-hidden rounded-3 border border-line-2 bg-bg shadow-overlay focus:outline-none max-sm:top-2 max-sm:max-h-[88vh]"
        >
          <Radix.Title className="sr-only">Go to or search</Radix.Title>
          <Palette close={() => onOpenChange(false)} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
