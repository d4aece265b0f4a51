import { putLatest } from "@/lib/format/lists";
import type { SessionId } from "@/lib/wire/ids";
import { isInProgress, type SessionSummary } from "@/lib/wire/library";
import { boardRank, isOpenAndIdle, type LiveState, type NowResponse, type NowTile } from "@/lib/wire/live";

const MAX_KEPT_TILES = 100;

/**
 * The latest state of each session on the board, as pushed by the stream. It is applied to the board on screen at once,
 * and to answers that were requested before the state arrived.
 */
export class NowStates {
  readonly #inFlight = new Set<LiveState[]>();
  /** Tiles of sessions that were on the board, so that one that resumes reappears at once. */
  readonly #kept = new Map<SessionId, NowTile>();

  /** Returns the board with a pushed state applied, and keeps the state for answers still in flight. */
  apply(board: NowResponse | undefined, state: LiveState): NowResponse | undefined {
    for (const arrived of this.#inFlight) arrived.push(state);
    return board && this.#with(board, state);
  }

  /** The board that `ask` resolves to, with every state applied that arrived in the meantime. */
  async fetch(ask: () => Promise<NowResponse>): Promise<NowResponse> {
    const arrived: LiveState[] = [];
    this.#inFlight.add(arrived);
    try {
      const board = await ask();
      for (const tile of board.tiles) putLatest(this.#kept, tile.summary.id, tile, MAX_KEPT_TILES);
      return arrived.reduce((shown, state) => this.#with(shown, state), board);
    } finally {
      this.#inFlight.delete(arrived);
    }
  }

  #with(board: NowResponse, live: LiveState): NowResponse {
    return withState(board, live, this.#kept.get(live.sessionId));
  }
}

/**
 * The board with one session's new state: waiting sessions come first, and one that is idle or ended moves to one of the
 * lists beside the board. A session without a tile gets `kept`, its previous tile, until the next answer.
 */
export function withState(board: NowResponse, live: LiveState, kept?: NowTile): NowResponse {
  const tile = board.tiles.find(({ summary }) => summary.id === live.sessionId);
  if (!tile && kept && isOnBoard(live))
    return withState(
      {
        tiles: [...board.tiles, withoutOpen(kept)],
        open: without(board.open, live.sessionId),
        ended: without(board.ended, live.sessionId),
      },
      live,
    );
  const listed = tile?.summary ?? [...board.open, ...board.ended].find(({ id }) => id === live.sessionId);
  if (!listed) return board;
  const { state, sinceMs } = live;
  const summary = { ...listed, state, sinceMs };
  if (!isOnBoard(live)) {
    const into = isOpenAndIdle(live) ? "open" : "ended";
    if (!tile && board[into].includes(listed)) return board;
    const others = {
      tiles: board.tiles.filter((one) => one !== tile),
      open: without(board.open, summary.id),
      ended: without(board.ended, summary.id),
    };
    return { ...others, [into]: [summary, ...others[into]] };
  }
  if (!tile) return board;
  const tiles = board.tiles.map((one) => (one === tile ? { ...one, summary, live } : one));
  return { ...board, tiles: tiles.sort((a, b) => boardRank(a.live) - boardRank(b.live)) };
}

function without(listed: readonly SessionSummary[], id: SessionId): SessionSummary[] {
  return listed.filter((one) => one.id !== id);
}

/** A tile of before: what ran or was asked then did so no longer when the session left the board. */
function withoutOpen(tile: NowTile): NowTile {
  const rows = tile.rows.filter((row) => row.kind !== "tool" || row.state !== "running");
  return { ...tile, rows, agents: [], questions: null };
}

function isOnBoard(live: LiveState): boolean {
  return isInProgress(live) || live.gone;
}
