import type { SessionId } from "@/lib/wire/ids";
import type { LiveState, NowResponse, NowTile } from "@/lib/wire/live";

const MOST_KEPT = 100;

/**
 * How the sessions of the board stand, as the stream tells it: laid over what is shown at once, and over answers that
 * were asked for before it was told.
 */
export class NowStates {
  readonly #asked = new Set<LiveState[]>();
  /** Tiles of sessions that were on the board: one that goes on is back at once. */
  readonly #kept = new Map<SessionId, NowTile>();

  /** The board with a state that was told, which is noted for the answers that are on their way. */
  tell(board: NowResponse | undefined, state: LiveState): NowResponse | undefined {
    for (const told of this.#asked) told.push(state);
    return board && this.#with(board, state);
  }

  /** The board that `ask` answers, with every state that was told meanwhile. */
  async over(ask: () => Promise<NowResponse>): Promise<NowResponse> {
    const told: LiveState[] = [];
    this.#asked.add(told);
    try {
      const board = await ask();
      for (const tile of board.tiles) {
        this.#kept.delete(tile.summary.id);
        this.#kept.set(tile.summary.id, tile);
      }
      for (const id of this.#kept.keys()) {
        if (this.#kept.size <= MOST_KEPT) break;
        this.#kept.delete(id);
      }
      return told.reduce((shown, state) => this.#with(shown, state), board);
    } finally {
      this.#asked.delete(told);
    }
  }

  #with(board: NowResponse, live: LiveState): NowResponse {
    return withState(board, live, this.#kept.get(live.sessionId));
  }
}

/**
 * The board with a session as it stands now: those that wait come first, and one that has come to rest or ended
 * leaves it for the list beside it. A session that has no tile gets `kept`, the one that it had, until the next answer.
 */
export function withState(board: NowResponse, live: LiveState, kept?: NowTile): NowResponse {
  const tile = board.tiles.find(({ summary }) => summary.id === live.sessionId);
  if (!tile && kept && isOnBoard(live))
    return withState(
      {
        tiles: [...board.tiles, kept],
        ended: board.ended.filter(({ id }) => id !== live.sessionId),
      },
      live,
    );
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
