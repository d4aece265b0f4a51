"use client";

import { useEffect, useMemo, useState } from "react";
import { formatPlural } from "@/lib/format/format-count";
import { collectSpecimens, type Specimen } from "./collect-specimens";
import { SpecimenRow } from "./specimen-row";

/** Every tool and every kind of row in every state that the sessions at hand have, opened. */
export function Gallery() {
  const [specimens, setSpecimens] = useState<readonly Specimen[]>([]);
  const [done, setDone] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    collectSpecimens(setSpecimens, controller.signal).then(
      () => setDone(true),
      (error: unknown) => {
        if (!controller.signal.aborted) setFailure(String(error));
      },
    );
    return () => controller.abort();
  }, []);
  const groups = useMemo(() => grouped(specimens), [specimens]);
  return (
    <main
      aria-label="Gallery"
      data-done={done || undefined}
      className="@container/thread h-full overflow-x-hidden overflow-y-auto [--ground:var(--bg)] [--hover:var(--raised)]"
      tabIndex={0}
    >
      <h1 className="px-3 py-2 text-15 font-semibold">
        Gallery{" "}
        <span className="text-12 font-normal text-fg-2">
          {failure ?? `${formatPlural(specimens.length, "row")}, ${formatPlural(groups.length, "kind")}`}
          {!done && !failure && ", still reading"}
        </span>
      </h1>
      {done &&
        groups.map(([group, members]) => (
          <section key={group} data-group={group} aria-label={group}>
            <h2 className="border-y border-line bg-panel px-3 py-1 text-12 font-semibold text-fg-2">
              {group}
            </h2>
            {members.map((specimen) => (
              <SpecimenRow key={specimen.key} specimen={specimen} />
            ))}
          </section>
        ))}
    </main>
  );
}

/** Tools first, by name; then the other kinds of row. */
function grouped(specimens: readonly Specimen[]): [group: string, members: Specimen[]][] {
  const groups = new Map<string, Specimen[]>();
  for (const specimen of specimens) {
    const members = groups.get(specimen.group) ?? [];
    members.push(specimen);
    groups.set(specimen.group, members);
  }
  const rank = (members: readonly Specimen[]) => (members[0]?.row.kind === "tool" ? 0 : 1);
  return [...groups]
    .map(([group, members]): [string, Specimen[]] => [
      group,
      members.sort((a, b) => a.state.localeCompare(b.state)),
    ])
    .sort(([a, one], [b, other]) => rank(one) - rank(other) || a.localeCompare(b));
}
