"use client";

import { Tabs as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** Tabs with panels: `<Tabs …><TabPanel value="turns">…</TabPanel></Tabs>`. Counts follow the names. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  className,
  children,
}: {
  label: string;
  tabs: readonly { value: Value; label: string; count?: string | null }[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)} className={className}>
      <Radix.List
        aria-label={label}
        className="flex min-h-tool flex-none flex-wrap gap-x-1 border-b border-line px-2 text-12 whitespace-nowrap"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex min-h-tool items-center gap-1 border-b-2 border-transparent px-1 text-fg-2 -outline-offset-2! hover:text-fg data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-fg"
          >
            {tab.label}
            {tab.count ? (
              <span className="text-11 font-normal text-fg-3 tabular-nums">{tab.count}</span>
            ) : null}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

/** A tab's panel; mounted only while its tab is chosen. */
export function TabPanel({
  value,
  className,
  children,
}: {
  value: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // Its content can be focused, so that it is no stop of its own.
    <Radix.Content value={value} className={className} tabIndex={-1}>
      {children}
    </Radix.Content>
  );
}
