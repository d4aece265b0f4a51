import { clsx } from "clsx";
import { memo, type PointerEvent, type ReactNode, useRef } from "react";
import type { FileVersion } from "@/lib/wire/files";
import { otherThan, versionName } from "./file-versions";
import { type LaneOf, VersionMark } from "./version-mark";
import { useShownVersion, type Walked } from "./version-walk";

/** More marks than this stand so close that they are lines without a name. */
const MAX_NAMED = 40;
/** Turns whose numbers would touch are not named. */
const MIN_TURN_SHARE = 0.035;

/** A file's versions from left to right, in the order in which they came to be, by turn. A drag goes through them. */
export const Scrubber = memo(function Scrubber({
  walked,
  compared,
  laneOf,
}: {
  walked: Walked;
  /** The version that others are compared with, -1 for the one before each. */
  compared: number;
  laneOf: LaneOf;
}) {
  const { walk, versions } = walked;
  const shown = useShownVersion(walked);
  const other = otherThan(shown, compared);
  /** Where the track is, for as long as a drag lasts: to ask for it is to have the page laid out. */
  const box = useRef<DOMRect | null>(null);
  const last = versions.length - 1;
  const placeOf = (index: number) => (index + 0.5) / versions.length;
  const showAt = ({ currentTarget, clientX }: PointerEvent) => {
    box.current ??= currentTarget.getBoundingClientRect();
    const { left, width } = box.current;
    if (width === 0) return;
    const index = Math.floor(((clientX - left) / width) * versions.length);
    walk.show(Math.min(last, Math.max(0, index)));
  };
  const version = versions[shown];
  return (
    <div className="border-b border-line-2 bg-panel px-3 max-sm:px-1">
      <div
        role="slider"
        tabIndex={0}
        aria-label="Version"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={`${versionName(versions, shown)} of ${versions.length}${version?.turn ? `, turn ${version.turn}` : ""}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          box.current = null;
          showAt(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons > 0) showAt(event);
          else box.current = null;
        }}
        className="@container relative h-14 cursor-pointer touch-none select-none"
      >
        <span className="absolute top-7 right-0 left-0 h-px bg-line-3" />
        <Marks versions={versions} laneOf={laneOf} />
        <Frame place={placeOf(shown)} className="border-accent outline outline-accent" />
        {other !== -1 && <Frame place={placeOf(other)} className="border-dashed border-accent" />}
        <Placed place={placeOf(shown)}>
          <span className="absolute bottom-0.5 -translate-x-1/2 bg-panel px-0.5 text-11 font-semibold text-fg tabular-nums">
            {versionName(versions, shown)}
          </span>
        </Placed>
      </div>
    </div>
  );
});

/** Around the mark of a version. */
function Frame({ place, className }: { place: number; className: string }) {
  return (
    <Placed place={place}>
      <span
        className={clsx(
          "absolute top-7 size-[18px] -translate-x-1/2 -translate-y-1/2 rounded-2 border",
          className,
        )}
      />
    </Placed>
  );
}

/** What is placed stays so far within the track: at its ends it would be cut. */
const EDGE_PX = 14;

/** What stands at a place of the track's width. It is moved as a layer: the marks below it are neither laid out nor painted again. */
function Placed({ place, children }: { place: number; children: ReactNode }) {
  return (
    <span
      className="pointer-events-none absolute inset-y-0 left-0 w-0 will-change-transform"
      style={{ transform: `translateX(clamp(${EDGE_PX}px, ${place * 100}cqw, 100cqw - ${EDGE_PX}px))` }}
    >
      {children}
    </span>
  );
}

/** A share of the width as a style has it. */
function percent(share: number): string {
  return `${share * 100}%`;
}

/** What does not change while a reader goes through the versions. */
const Marks = memo(function Marks({
  versions,
  laneOf,
}: {
  versions: readonly FileVersion[];
  laneOf: LaneOf;
}) {
  const isNamed = versions.length <= MAX_NAMED;
  const step = 1 / versions.length;
  return (
    <>
      {turnStarts(versions).map(({ index, turn, named }) => (
        <span key={index} className="absolute top-0 bottom-0" style={{ left: percent(index * step) }}>
          <span className="absolute top-1 bottom-1 w-px bg-line-2" />
          {named && (
            <span className="absolute top-0.5 left-1.5 text-11 whitespace-nowrap text-fg-3 tabular-nums">
              {index === 0 ? `turn ${turn}` : turn}
            </span>
          )}
        </span>
      ))}
      {versions.map(({ id, kind }, index) =>
        index > 0 && (kind === "outside" || kind === "deleted") ? (
          <span
            key={id}
            className="absolute top-7 border-t-2 border-dashed border-warn"
            style={{ left: percent((index - 0.5) * step), width: percent(step) }}
          />
        ) : null,
      )}
      {isNamed ? (
        versions.map(({ id, kind, agentId }, index) => (
          <span
            key={id}
            className="absolute top-7 -translate-x-1/2 -translate-y-1/2"
            style={{ left: percent((index + 0.5) * step) }}
          >
            <span className="flex size-[16px] items-center justify-center bg-panel">
              <VersionMark kind={kind} lane={laneOf(agentId)} />
            </span>
          </span>
        ))
      ) : (
        // One shape: hundreds of elements would be gone through with every frame.
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${versions.length} 1`}
          preserveAspectRatio="none"
          className="absolute top-[22px] h-3 w-full stroke-line-3"
        >
          <path
            d={versions.map((_, index) => `M${index + 0.5} 0V1`).join("")}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      )}
      {isNamed &&
        versions.map(({ id }, index) => (
          <span
            key={id}
            className={clsx(
              "absolute bottom-0.5 -translate-x-1/2 text-11 text-fg-3 tabular-nums",
              versions.length > 12 && "max-sm:hidden",
            )}
            style={{ left: percent((index + 0.5) * step) }}
          >
            {versionName(versions, index)}
          </span>
        ))}
    </>
  );
});

/** Where a turn's first version stands; 0, another branch, begins none. */
function turnStarts(versions: readonly FileVersion[]): { index: number; turn: number; named: boolean }[] {
  const starts: { index: number; turn: number; named: boolean }[] = [];
  let turn = 0;
  let namedAt = Number.NEGATIVE_INFINITY;
  for (const [index, version] of versions.entries()) {
    if (version.turn === 0 || version.turn === turn) continue;
    turn = version.turn;
    const named = index - namedAt >= MIN_TURN_SHARE * versions.length;
    if (named) namedAt = index;
    starts.push({ index, turn, named });
  }
  return starts;
}
