import { LANE_PATHS, LANE_TEXT, laneIndex } from "@/components/ui/lane-shape";
import { cx } from "@/lib/client/class-names";
import type { ForkRow } from "@/lib/wire/rows";

const COLUMNS = 2;
const PITCH_PX = 12;
const DROP_PX = 14;

/** The ways not taken at a fork: each drops left of the spine and ends in its shape. */
export function ForkStubs({ branches }: { branches: ForkRow["branches"] }) {
  const others = branches.flatMap(({ current, id }, index) => (current ? [] : [{ id, lane: index + 1 }]));
  const shown = others.slice(0, others.length > COLUMNS ? COLUMNS - 1 : COLUMNS);
  const left = others.length - shown.length;
  return (
    <>
      <svg
        viewBox="-32 0 32 40"
        className="absolute top-0 left-[calc(var(--spine-x)-32px)] h-10 w-8 overflow-visible fill-none stroke-current stroke-2"
      >
        {shown.map(({ id, lane }, index) => {
          const x = -PITCH_PX * (index + 1);
          return (
            <g key={id} className={cx(LANE_TEXT[laneIndex(lane)], index > 0 && "max-sm:hidden")}>
              <path d={`M0 12H${x + 8}Q${x} 12 ${x} 20V${12 + DROP_PX}`} />
              <path
                className="fill-current stroke-none"
                transform={`translate(${x - 4.5} ${12 + DROP_PX}) scale(.9)`}
                d={LANE_PATHS[laneIndex(lane)]}
              />
            </g>
          );
        })}
        {left > 0 && (
          <path
            className="text-line-3 max-sm:hidden"
            d={`M0 12H-16Q-24 12 -24 20V${12 + DROP_PX}`}
            strokeDasharray="2 2"
          />
        )}
      </svg>
      {left > 0 && (
        <span
          title={`${left} more branches`}
          className="absolute top-[26px] left-[calc(var(--spine-x)-31px)] w-3.5 text-center text-[10px]/[12px] text-fg-2 tabular-nums max-sm:hidden"
        >
          {left}
        </span>
      )}
    </>
  );
}
