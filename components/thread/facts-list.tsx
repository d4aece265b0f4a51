import type { ReactNode } from "react";
import { VisibleText } from "@/components/content/text/visible-text";

/** A few facts, a line each: what, and its value in mono. Facts without a value are left out. */
export function FactsList({ facts }: { facts: readonly [label: string, value: string | null][] }) {
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== "");
  if (known.length === 0) return null;
  return (
    <dl className="grid grid-cols-[calc(88px*var(--u))_minmax(0,1fr)] gap-x-3 px-3 py-1.5 text-12/[22px]">
      {known.map(([label, value]) => (
        <Fact key={label} label={label}>
          <VisibleText text={value} />
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="truncate text-fg-3">{label}</dt>
      <dd className="font-mono text-code/[22px] [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
