import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { Progress } from "@/components/ui/progress";
import { RunningRing } from "@/components/ui/running-ring";
import type { useHealth } from "@/lib/client/use-health";
import { formatBytes } from "@/lib/format/format-bytes";
import { formatCount, formatPercent } from "@/lib/format/format-count";
import { indexingLine, indexingShare } from "./indexing-words";

type Answer = NonNullable<ReturnType<typeof useHealth>["data"]>;

/** The first seconds of a first start, before any session is listed. */
export function FirstRun({ health: { indexing, pace } }: { health: Answer }) {
  const share = indexingShare(indexing);
  const listed = indexing.phase !== "listing";
  return (
    <section
      aria-label="Indexing"
      className="mx-auto mt-10 w-full max-w-[560px] border border-line-2 max-sm:mt-0 max-sm:border-x-0"
    >
      <div className="grid gap-2 p-4">
        <div className="flex">
          <h2 className="flex-1 font-semibold">
            Indexing{" "}
            {indexing.bytesTotal > 0 ? `${formatBytes(indexing.bytesTotal)}, newest first` : "your sessions"}
          </h2>
          <span className="text-fg-2 tabular-nums">{formatPercent(share)}</span>
        </div>
        <Progress thick share={share} label="Indexing" />
        <p className="text-12 text-fg-2 tabular-nums">{indexingLine(indexing, pace)}</p>
      </div>
      <Step done={listed} name="Projects and sessions">
        {listed ? `${formatCount(indexing.filesTotal)} files listed` : "listing the files"}
      </Step>
      <Step done={indexing.done} name="Counts, graph, files">
        {`${formatCount(indexing.filesDone)} files done`}
      </Step>
      <p className="border-t border-line px-4 py-3 text-12 text-fg-3">
        Sessions appear here as they are found. One that isn’t indexed yet is indexed first when you open it.
      </p>
    </section>
  );
}

function Step({ done, name, children }: { done: boolean; name: string; children: ReactNode }) {
  return (
    <div className="grid h-7 grid-cols-[16px_136px_1fr] items-center gap-2 border-t border-line px-4 text-12">
      <span className={`flex justify-center ${done ? "text-run" : "text-fg-2"}`}>
        {done ? <Icon of={Check} small /> : <RunningRing />}
      </span>
      <span>{name}</span>
      <span className="truncate text-fg-2">{children}</span>
    </div>
  );
}
