"use client";

import { Check, type LucideIcon } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { labelHidden } from "@/lib/markup/hidden-characters";
import { Icon } from "./icon";
import { Kbd } from "./keys";

const ITEM =
  "flex h-7 max-sm:h-9 items-center gap-2 rounded-1 px-2 text-12 whitespace-nowrap text-fg outline-none select-none data-[disabled]:text-fg-3 data-[highlighted]:bg-sel";

/** A menu below its trigger, which must be a single button. Non-modal, so that Radix injects nothing into the page. */
export function Menu({
  trigger,
  label,
  align = "start",
  children,
}: {
  trigger: ReactNode;
  label: string;
  align?: "start" | "end";
  children: ReactNode;
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={labelHidden(label)}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[min(600px,var(--radix-dropdown-menu-content-available-height))] max-w-96 min-w-44 overflow-auto rounded-2 border border-line-2 bg-bg p-1 shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** A command in a menu, which closes with it unless `onSelect` prevents what the event does by itself. */
export function MenuItem({
  icon,
  keys,
  disabled,
  onSelect,
  children,
}: {
  icon?: LucideIcon;
  keys?: string;
  disabled?: boolean;
  onSelect: (event: Event) => void;
  children: ReactNode;
}) {
  return (
    <Radix.Item className={ITEM} disabled={disabled} onSelect={onSelect}>
      {icon ? <Icon of={icon} small className="text-fg-3" /> : null}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys ? (
        <span className="max-sm:hidden">
          <Kbd>{keys}</Kbd>
        </span>
      ) : null}
    </Radix.Item>
  );
}

/** A radio item: put several in one menu, exactly one with `chosen`. */
export function MenuChoice({
  chosen,
  disabled,
  aside,
  onSelect,
  children,
}: {
  chosen: boolean;
  disabled?: boolean;
  aside?: ReactNode;
  /** The menu closes behind it, unless the event's default is prevented. */
  onSelect: (event: Event) => void;
  children: ReactNode;
}) {
  return (
    <Radix.CheckboxItem className={ITEM} checked={chosen} disabled={disabled} onSelect={onSelect}>
      <span className="flex w-3 flex-none text-accent">{chosen ? <Icon of={Check} small /> : null}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside ? <span className="text-11 text-fg-3 tabular-nums">{aside}</span> : null}
    </Radix.CheckboxItem>
  );
}

/** A separator between groups of a menu. */
export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
