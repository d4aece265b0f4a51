/** The columns beside the spine that have room for an agent each. */
export const LANE_COLUMNS = 2;

/**
 * An agent that is out: its colour and shape, its column from the spine outwards (`LANE_COLUMNS` for all that have none
 * of their own), what it does here (0 passes, 1 leaves, 2 returns, 3 leaves and is seen no more in these rows), the row
 * where it left, and its place in the session's list of agents.
 */
export type RowLane = [lane: number, column: number, phase: 0 | 1 | 2 | 3, from: number, agent: number];
