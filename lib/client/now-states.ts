import type { LiveState, NowResponse, NowTile } from "@/lib/wire/live";

/**
 * How the sessions of the board stand, as the stream tells it: laid over what is shown at once, and over answers that
 * were asked for before it was told.
 */
export class NowStates {
  readonly #asked = new Set<LiveState[]>();

  /** Notes a state for the answers that are on their way. */
  tell(state: LiveState): void {
    for (const told of this.#asked) told.push(state);
  }

  /** The board that `ask` answers, with every state that was told meanwhile. */
  async over(ask: () => Promise<NowResponse>): Promise<NowResponse> {
    const told: LiveState[] = [];
    this.#asked.add(told);
    try {
      const board = await ask();
      return told.reduce(withState, board);
    } finally {
      this.#asked.delete(told);
    }
  }
}

/**
 * The board with a session as it stands now: those that wait come first, and one that has come to rest or ended
 * leaves it for the list beside it. A session that has no tile is left to the next answer.
 */
export function withState(board: NowResponse, live: LiveState): NowResponse {
  const tile = board.tiles.find(({ summary }) => summary.id === live.sessionId);
  if (!tile) return board;
  const { state, sinceMs } = live;
  const summary = { ...tile.summary, state, sinceMs };
  if (!isOnBoard(live))
    return {
      tiles: board.tiles.filter((one) => one !== tile),
      ended: [summary, ...board.ended.filter(({ id }) => id !== summary.id)],
    };
  const tiles = board.tiles.map((one) => (one === tile ? { ...one, summary, live } : one));
  return { ...board, tiles: tiles.sort((a, b) => rank(a) - rank(b)) };
}

function isOnBoard({ state, doing, gone }: LiveState): boolean {
  return state === "running" || state === "waiting" || (state === "unknown" && doing !== null) || gone;
}

function rank({ live }: NowTile): number {
  return live.state === "waiting" ? 0 : live.state === "interrupted" ? 2 : 1;
}
