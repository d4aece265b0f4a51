import { clsx } from "clsx";
import { Fragment, useState } from "react";
import { Button } from "@/components/ui/button";
import { Moment } from "@/components/ui/time";
import { formatClockSeconds, formatCount, formatModel, formatPercent } from "@/lib/format/format";
import type { SessionRequest } from "@/lib/wire/model-requests/session-requests";
import { causeName, partSeries, type RequestSeries, sentTo } from "./request-series";

/** Rows are added so many at a time: a session may have thousands. */
const PAGE = 50;

const HEAD = "sticky top-0 z-1 border-b border-line bg-panel px-2 font-normal whitespace-nowrap text-fg-3";

/** The chart as a table: a row for each request. */
export function RequestsTable({
  requests,
  named,
  onGo,
}: {
  requests: readonly SessionRequest[];
  /** The request that the address names. */
  named: SessionRequest | undefined;
  onGo: (request: SessionRequest) => void;
}) {
  const [shown, setShown] = useState(() => Math.max(PAGE, named ? requests.indexOf(named) + 1 : 0));
  const series = partSeries(requests);
  return (
    <div className="overflow-x-auto" role="region" aria-label="Requests" tabIndex={0}>
      <table
        aria-label="Context by request"
        className="min-w-full border-separate border-spacing-0 text-right text-12 tabular-nums"
      >
        <thead className="text-11">
          <tr>
            <th scope="col" className={`${HEAD} text-left`}>
              Request
            </th>
            {["Time", "Sent", "Of window", "Input", "Cache read", "Cache write", "Output"].map((name) => (
              <th key={name} scope="col" className={HEAD}>
                {name}
              </th>
            ))}
            {series.map(({ key, name }) => (
              <th key={key} scope="col" className={HEAD} title="Estimated by characters">
                ≈ {name}
              </th>
            ))}
            <th scope="col" className={`${HEAD} text-left`}>
              Cache
            </th>
          </tr>
        </thead>
        <tbody>
          {requests.slice(0, shown).map((request, nth) => (
            <Fragment key={request.recordId}>
              <RequestRow
                request={request}
                number={nth + 1}
                series={series}
                isNamed={request === named}
                onGo={onGo}
              />
              {request.advisors.map((pass, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the passes of an answer never change places
                <AdvisorRow key={index} pass={pass} series={series.length} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      {shown < requests.length && (
        <p className="p-2">
          <Button onClick={() => setShown(shown + PAGE)}>
            Show {formatCount(Math.min(PAGE, requests.length - shown))} more of{" "}
            {formatCount(requests.length - shown)}
          </Button>
        </p>
      )}
    </div>
  );
}

function RequestRow({
  request,
  number,
  series,
  isNamed,
  onGo,
}: {
  request: SessionRequest;
  number: number;
  series: readonly RequestSeries[];
  /** It is the one that the address names. */
  isNamed: boolean;
  onGo: (request: SessionRequest) => void;
}) {
  return (
    <tr
      aria-current={isNamed || undefined}
      className={clsx("h-row [&>td]:px-2 [&>td]:whitespace-nowrap", isNamed ? "bg-sel" : "hover:bg-raised")}
    >
      <th scope="row" className="px-2 text-left font-normal">
        <button
          type="button"
          className="text-accent hover:underline"
          data-leads={`row ${request.recordId}`}
          aria-label={`Request ${number}: its record, and what the model saw`}
          onClick={() => onGo(request)}
        >
          {formatCount(number)}
        </button>
      </th>
      <td>{request.atMs === null ? "·" : <Moment atMs={request.atMs} clock={formatClockSeconds} />}</td>
      <td className="font-semibold">
        {request.passes > 1 && (
          <span
            className="mr-2 font-normal text-fg-3"
            title="The API made this answer in several passes. Input, cache and output are of all of them"
          >
            last of {formatCount(request.passes)} passes
          </span>
        )}
        {formatCount(request.context)}
      </td>
      <td>{request.window === null ? "·" : formatPercent(request.context / request.window)}</td>
      <td>{numberOf(request.input)}</td>
      <td>{numberOf(request.cacheRead)}</td>
      <td>{numberOf(request.cacheWrite5m + request.cacheWrite1h)}</td>
      <td>{numberOf(request.output)}</td>
      {series.map(({ key, of }) => (
        <td key={key} className="text-fg-2">
          {numberOf(of(request))}
        </td>
      ))}
      <td className="text-left text-warn">
        {[
          request.compactedAt === null ? null : "after a compaction",
          request.miss === null ? null : `missed: ${causeName(request.miss.cause).toLowerCase()}`,
        ]
          .filter(Boolean)
          .join(", ")}
      </td>
    </tr>
  );
}

/** What the API asked an advisor for while it made an answer. `series`: how many columns parts of the context have. */
function AdvisorRow({ pass, series }: { pass: SessionRequest["advisors"][number]; series: number }) {
  return (
    <tr className="h-row text-fg-2 hover:bg-raised [&>td]:px-2 [&>td]:whitespace-nowrap">
      <th scope="row" colSpan={2} className="px-2 text-left font-normal whitespace-nowrap">
        advisor {formatModel(pass.model)}
      </th>
      <td>{formatCount(sentTo(pass))}</td>
      <td>·</td>
      <td>{numberOf(pass.input)}</td>
      <td>{numberOf(pass.cacheRead)}</td>
      <td>{numberOf(pass.cacheWrite)}</td>
      <td>{numberOf(pass.output)}</td>
      <td colSpan={series + 1} className="text-left">
        asked while this was answered
      </td>
    </tr>
  );
}

function numberOf(tokens: number): string {
  return tokens === 0 ? "·" : formatCount(tokens);
}
