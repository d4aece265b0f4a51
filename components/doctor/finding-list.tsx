import { Check, CircleAlert, Info, TriangleAlert } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { formatCount, formatPlural } from "@/lib/format/format-count";
import type { DoctorFinding } from "@/lib/wire/doctor";
import { FoldItem } from "./fold-item";
import { PlaceTable } from "./place-table";
import { Section } from "./section";
import { useDoctorUrl } from "./use-doctor";

const LEVELS = {
  error: { icon: CircleAlert, tone: "text-err", word: "Error" },
  warning: { icon: TriangleAlert, tone: "text-warn", word: "Warning" },
  info: { icon: Info, tone: "text-fg-3", word: "Note" },
};

/** Every rule that something breaks, with its first places when opened. Which one is open is in the address. */
export function FindingList({ findings }: { findings: readonly DoctorFinding[] }) {
  const [{ finding: open }, setUrl] = useDoctorUrl();
  return (
    <Section title="Findings" count={findings.length}>
      {findings.length === 0 ? (
        <p className="flex items-center gap-2 px-3 text-12 text-fg-2">
          <Icon of={Check} small className="text-run" />
          Every byte is a record, and no rule is broken.
        </p>
      ) : (
        <ul className="border-t border-line">
          {findings.map((finding) => (
            <Finding
              key={finding.rule}
              finding={finding}
              open={open === finding.rule}
              onToggle={() => void setUrl({ finding: open === finding.rule ? null : finding.rule })}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Finding({
  finding,
  open,
  onToggle,
}: {
  finding: DoctorFinding;
  open: boolean;
  onToggle: () => void;
}) {
  const { icon, tone, word } = LEVELS[finding.level];
  return (
    <FoldItem
      open={open}
      onToggle={onToggle}
      line={
        <>
          <Icon of={icon} small className={`flex-none ${tone}`} />
          <span className="sr-only">{word}:</span>
          <span className="min-w-0 truncate" title={finding.title}>
            {finding.title}
          </span>
          <span
            className={`ml-auto flex-none font-semibold tabular-nums ${finding.level === "info" ? "" : tone}`}
          >
            {formatCount(finding.count)}
          </span>
          <span className="w-[84px] flex-none text-right text-fg-3 tabular-nums max-sm:hidden">
            in {formatPlural(finding.files, "file")}
          </span>
        </>
      }
    >
      <PlaceTable finding={finding} />
    </FoldItem>
  );
}
