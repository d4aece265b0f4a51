import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { toastFailure } from "@/components/ui/toast";
import { api } from "@/lib/client/api";
import { saveFile } from "@/lib/client/save-file";
import { formatCompact, formatCost, formatCount, formatIsoDay } from "@/lib/format/format";
import { type UsageResponse, usageTokens } from "@/lib/wire/usage";
import { usageCsv } from "./usage-series";
import { useUsageAsked } from "./usage-url";

/** The totals in one line, and as a file. */
export function UsageTotals({ usage }: { usage: UsageResponse }) {
  const { totals, pricesAsOf } = usage;
  const { costMicroUsd, unpricedTokens, requests, sessions, webSearches } = totals;
  const facts: [string, string, string?][] = [
    ["API-equivalent", formatCost(costMicroUsd, unpricedTokens)],
    ["tokens", formatCompact(usageTokens(totals))],
    [requests === 1 ? "request" : "requests", formatCount(requests)],
    [sessions === 1 ? "session" : "sessions", formatCount(sessions)],
    ...(webSearches > 0 ? ([["web searches", formatCount(webSearches)]] as [string, string][]) : []),
    ...(unpricedTokens > 0
      ? ([["tokens without a known price", formatCompact(unpricedTokens), "text-warn"]] as [
          string,
          string,
          string,
        ][])
      : []),
  ];
  return (
    <div className="flex items-start gap-3 px-3 pt-2 pb-1">
      <dl className="flex min-h-6 min-w-0 flex-1 flex-wrap items-baseline gap-x-6 gap-y-1 text-12">
        {facts.map(([name, value, tone], at) => (
          <div key={name} className="flex flex-row-reverse items-baseline gap-1.5">
            <dt className="text-fg-3">
              {name}
              {/* Otherwise the foot shows it. */}
              {at === 0 && (
                <span className="sm:hidden">
                  {" "}
                  · prices of <span className="whitespace-nowrap">{formatIsoDay(pricesAsOf)}</span>
                </span>
              )}
            </dt>
            <dd
              className={`font-semibold whitespace-nowrap tabular-nums ${at === 0 ? "text-15" : ""} ${tone ?? ""}`}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <span className="inline-flex flex-none gap-1">
        <DownloadButton name="CSV" type="text/csv" usage={usage} text={usageCsv} />
        <DownloadButton
          name="JSON"
          type="application/json"
          usage={usage}
          text={(data) => `${JSON.stringify(data, null, 2)}\n`}
        />
      </span>
    </div>
  );
}

function DownloadButton({
  name,
  type,
  usage,
  text,
}: {
  name: string;
  type: string;
  usage: UsageResponse;
  text: (usage: UsageResponse) => string;
}) {
  const asked = useUsageAsked(usage.by);
  const download = async () => {
    const whole = usage.nextCursor === null ? usage : await api.usage(asked).catch(sayWhy);
    if (whole === null) return;
    saveFile(`usage by ${usage.by}.${name.toLowerCase()}`, text(whole), type);
  };
  return (
    <Button onClick={() => void download()} aria-label={`Download as ${name}`}>
      <Icon of={Download} small />
      {name}
    </Button>
  );
}

/** Says why the rows that are not shown could not be fetched. */
function sayWhy(error: unknown): null {
  toastFailure(error, "Couldn’t read the usage");
  return null;
}
