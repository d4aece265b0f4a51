import { clsx } from "clsx";
import { useState } from "react";
import { VisibleText } from "@/components/content/text/visible-text";
import { Button } from "@/components/ui/button";
import { Moment } from "@/components/ui/time";
import {
  formatClockSeconds,
  formatCompact,
  formatCost,
  formatCount,
  formatDollars,
} from "@/lib/format/format";
import type { MissDifference, SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { causeAbout, causeName, type MissedRequest, missesByCause } from "./request-series";

/** Lines are added so many at a time: a session may have thousands. */
const MISSES_STEP = 50;

/** Why requests missed the cache, the costliest first. */
export function MissList({
  missed,
  named,
  onRecord,
  onContext,
}: {
  missed: readonly MissedRequest[];
  /** The request that the address names. */
  named: SessionRequest | undefined;
  onRecord: (request: SessionRequest) => void;
  onContext: (request: SessionRequest) => void;
}) {
  const [shown, setShown] = useState(MISSES_STEP);
  // The named one is there, wherever it stands.
  const end = Math.max(shown, missed.findIndex(({ request }) => request === named) + 1);
  if (missed.length === 0)
    return (
      <p className="px-3 py-2 text-12 text-fg-2">
        Every request read from the cache what the one before had left there.
      </p>
    );
  return (
    <>
      <p className="flex flex-wrap gap-x-4 px-3 py-1.5 text-12 text-fg-2 tabular-nums">
        {missesByCause(missed).map(({ cause, count, microUsd, lostTokens }) => (
          <span key={cause} className="whitespace-nowrap">
            {causeName(cause)}
            {count > 1 && ` ×${formatCount(count)}`}{" "}
            <span className="text-fg">
              {microUsd > 0 ? formatDollars(microUsd) : `${formatCompact(lostTokens)} tok`}
            </span>
          </span>
        ))}
      </p>
      <ol aria-label="Cache misses, the costliest first">
        {missed.slice(0, end).map((one) => (
          <MissLine
            key={one.request.recordId}
            missed={one}
            isNamed={one.request === named}
            onRecord={onRecord}
            onContext={onContext}
          />
        ))}
      </ol>
      {end < missed.length && (
        <p className="border-t border-line p-2 print:hidden">
          <Button onClick={() => setShown(end + MISSES_STEP)}>
            Show {formatCount(Math.min(MISSES_STEP, missed.length - end))} more of{" "}
            {formatCount(missed.length - end)}
          </Button>
        </p>
      )}
    </>
  );
}

function MissLine({
  missed: { request, miss, number },
  isNamed,
  onRecord,
  onContext,
}: {
  missed: MissedRequest;
  isNamed: boolean;
  onRecord: (request: SessionRequest) => void;
  onContext: (request: SessionRequest) => void;
}) {
  return (
    <li
      aria-current={isNamed || undefined}
      className={clsx(
        "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-t border-line px-3 py-1.5 text-12 tabular-nums",
        isNamed && "sel-bar bg-sel",
      )}
    >
      <div className="min-w-0">
        <p>
          <span className="font-semibold">{causeName(miss.cause)}</span>{" "}
          <span className="text-fg-2">{causeAbout(miss)}</span>
        </p>
        {miss.difference && <Difference difference={miss.difference} />}
        <p className={clsx("flex flex-wrap items-center gap-x-3", isNamed ? "text-fg-2" : "text-fg-3")}>
          <span>request {formatCount(number)}</span>
          {request.atMs !== null && <Moment atMs={request.atMs} clock={formatClockSeconds} />}
          <span title={miss.exact ? EXACT : REBUILT}>
            {miss.exact ? "from logged requests" : "from the records"}
          </span>
          <span className="flex gap-1 print:hidden">
            <Button
              kind="quiet"
              className="h-5 px-1.5"
              data-leads={`record ${request.recordId}`}
              onClick={() => onRecord(request)}
            >
              Record
            </Button>
            <Button
              kind="quiet"
              className="h-5 px-1.5"
              data-leads={`context ${request.recordId}`}
              onClick={() => onContext(request)}
            >
              What the model saw
            </Button>
          </span>
        </p>
      </div>
      <p className="text-right whitespace-nowrap">
        <span className="block font-semibold">
          {formatCost(miss.microUsd, miss.microUsd === null ? miss.lostTokens : 0)}
        </span>
        <span
          className="block text-fg-2"
          title={`${formatCount(miss.lostTokens)} tokens were paid for again`}
        >
          {formatCompact(miss.lostTokens)} tok
        </span>
      </p>
    </li>
  );
}

const EXACT = "The client logged both requests, so what was sent is known";
const REBUILT = "The conversation is known from its records; system prompt, tools and reminders are not";

/** What differs: names that came and went, or a text before and after. */
function Difference({
  difference: { added = [], removed = [], changed = [], before, after },
}: {
  difference: MissDifference;
}) {
  return (
    <div className="my-0.5 font-mono text-code [overflow-wrap:anywhere]">
      {added.length + removed.length + changed.length > 0 && (
        <ul className="flex flex-wrap gap-x-3">
          {removed.map((name) => (
            <Changed key={`-${name}`} sign="−" word="removed" tone="text-del-fg" name={name} />
          ))}
          {added.map((name) => (
            <Changed key={`+${name}`} sign="+" word="added" tone="text-add-fg" name={name} />
          ))}
          {changed.map((name) => (
            <Changed key={`~${name}`} sign="~" word="changed" tone="text-fg-2" name={name} />
          ))}
        </ul>
      )}
      {before !== undefined && <Text sign="−" word="before" tone="bg-del-bg" text={before} />}
      {after !== undefined && <Text sign="+" word="after" tone="bg-add-bg" text={after} />}
    </div>
  );
}

function Changed({ sign, word, tone, name }: { sign: string; word: string; tone: string; name: string }) {
  return (
    <li className={tone}>
      <span aria-hidden="true">{sign} </span>
      <span className="sr-only">{word} </span>
      <VisibleText text={name} />
    </li>
  );
}

function Text({ sign, word, tone, text }: { sign: string; word: string; tone: string; text: string }) {
  return (
    <p className={`flex gap-2 px-1 whitespace-pre-wrap ${tone}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{word}:</span>
      <span className="min-w-0">
        <VisibleText text={text} />
      </span>
    </p>
  );
}
