import { useThreadActions } from "@/components/content/row-actions";
import { LANE_PATHS, LANE_TEXT, laneIndex } from "@/components/ui/lane-shape";
import { cx } from "@/lib/client/class-names";
import type { RowLane } from "@/lib/wire/row-base";
import { useAgentWords } from "./use-agent-words";

/** Columns that fit beside the spine; what is further out becomes a count. */
const COLUMNS = 2;
const PITCH_PX = 12;
const LEAVES = 1;
const RETURNS = 2;
const CALLS = 3;

/** The agents that are out while a row happens, each in its column right of the spine. */
export function RailLanes({ lanes }: { lanes: readonly RowLane[] }) {
  const beyond = lanes.some(([, column]) => column >= COLUMNS);
  const outermost = COLUMNS - 1;
  const shown = lanes.filter(([, column, phase]) => !beyond || column < outermost || phase !== 0);
  const counted = lanes.filter(([, column]) => column >= outermost).length;
  return (
    <>
      {beyond && <Count agents={counted} covered={shown.some(([, column]) => column >= outermost)} />}
      {shown.map(([lane, column, phase, from, agent]) => (
        <Lane
          key={from * 256 + column}
          lane={lane}
          column={Math.min(column, outermost)}
          phase={phase}
          from={from}
          agent={agent}
        />
      ))}
    </>
  );
}

function Lane({
  lane,
  column,
  phase,
  from,
  agent,
}: {
  lane: number;
  column: number;
  phase: RowLane[2];
  from: number;
  agent: number;
}) {
  const { toRow } = useThreadActions();
  const { words, ask } = useAgentWords(agent);
  const x = PITCH_PX * (column + 1);
  const index = laneIndex(lane);
  const left = `calc(var(--spine-x) + ${x}px)`;
  const middle = "calc(var(--row) / 2)";
  const vertical =
    phase === LEAVES
      ? { top: `calc(${middle} + 8px)`, bottom: 0 }
      : phase === RETURNS
        ? { top: 0, height: `calc(${middle} - 8px)` }
        : { top: 0, bottom: 0 };
  return (
    <span className={cx(LANE_TEXT[index], column > 0 && "max-sm:hidden")}>
      {phase !== CALLS && (
        <span className="absolute -ml-px border-l-2 border-current" style={{ left, ...vertical }} />
      )}
      {phase !== 0 && (
        <svg
          viewBox={`0 0 ${x + 12} 24`}
          className="absolute top-[calc((var(--row)-24px)/2)] left-(--spine-x) h-6 overflow-visible fill-none stroke-current stroke-2"
          style={{ width: x + 12 }}
        >
          {phase === RETURNS && <path d={`M${x} 0V4Q${x} 12 ${x - 8} 12H0`} />}
          {phase === LEAVES && <path d={`M0 12H${x - 8}Q${x} 12 ${x} 20`} />}
          {phase === CALLS && <path d={`M0 12H${x - 3}`} />}
          {phase !== RETURNS && (
            <path
              className="fill-current stroke-(--ground) [paint-order:stroke]"
              transform={`translate(${x - 5} 7)`}
              d={LANE_PATHS[index]}
            />
          )}
        </svg>
      )}
      {toRow && (
        // For the mouse alone: the call and the answer are rows of their own, which keys reach.
        <span
          title={words}
          onPointerEnter={ask}
          className="absolute inset-y-0 w-2.5 -translate-x-1/2 cursor-pointer hover:bg-current/20"
          style={{ left }}
          onClick={(event) => {
            event.stopPropagation();
            toRow(from);
          }}
        />
      )}
    </span>
  );
}

/** Agents further out, in one dashed line. Where one of them turns in, its own line has the room. */
function Count({ agents, covered }: { agents: number; covered: boolean }) {
  return (
    <span
      title={`${agents} more agents are out`}
      className="absolute inset-y-0 left-[calc(var(--spine-x)+24px)] -ml-px border-l-2 border-dashed border-line-3 max-sm:hidden"
    >
      {!covered && (
        <span className="absolute top-[calc(var(--row)/2-6px)] left-[-6px] h-3 min-w-2.5 bg-(--ground) text-center text-[10px]/[12px] text-fg-2 tabular-nums">
          {agents}
        </span>
      )}
    </span>
  );
}
