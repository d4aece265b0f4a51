import type { SessionId } from "./ids";

/** How a share's token begins: a page keeps such a one for its own tab only. */
export const SHARE_TOKEN_START = "share~";

/** How long a share may be good for, in milliseconds. */
export const SHARE_TIMES = { default: 3_600_000, least: 60_000, most: 7 * 86_400_000 } as const;

/** What a link may leave out of its session: the copy that its readers get has none of it. */
export const LEFT_OUT = ["thinking", "agents", "images"] as const;
/**
 * `thinking`: the model's thoughts. `agents`: their logs; the calls that start them stay, with what they report. `images`:
 * images and documents, in whose places a word stands.
 */
export type LeftOut = (typeof LEFT_OUT)[number];

/** A link that opens one session for another person, as its owner sees it. Its token is told only once. */
export type Share = {
  id: string;
  sessionId: SessionId;
  title: string | null;
  redacted: boolean;
  without: LeftOut[];
  /** Whoever has the link reads and writes comments. */
  comments: boolean;
  createdAtMs: number;
  expiresAtMs: number;
  /** When something was last asked for with its token, if ever. */
  lastUsedAtMs: number | null;
  /** How often a page was opened by it; null for one that was used before that was counted. */
  openings: number | null;
  /** When a page was last opened by it, as far as that is counted. */
  lastOpenedAtMs: number | null;
  /** Pages that follow it now. */
  readers: number;
};

/** `GET /api/shares`: those that are still good, the newest first. */
export type SharesResponse = { shares: Share[]; addresses: ShareAddress[] };

/**
 * An address that this server answers to. `loopback`: from this machine, or through an SSH tunnel. `network`: an
 * address of this machine that it listens on. `name`: one that was named with `--allow-host`.
 */
export type ShareAddress = { origin: string; kind: "loopback" | "network" | "name"; encrypted: boolean };

/**
 * `POST /api/shares`: a link is an address's origin, `path` and `#t=` with the token, after what `path` has of a
 * fragment. It begins with `--base-path`. The session has another id in it than for its owner, and so have its records.
 */
export type CreatedShare = { id: string; token: string; path: string; expiresAtMs: number };

/**
 * `access` in `/api/health`: what the token that came with the request is good for. `sessionId`: the shared session's in
 * its copy, which is not its owner's; `null` while nothing of it can be read.
 */
export type Access =
  | { kind: "owner" }
  | {
      kind: "share";
      sessionId: SessionId | null;
      redacted: boolean;
      without: readonly LeftOut[];
      comments: boolean;
      expiresAtMs: number;
    };
