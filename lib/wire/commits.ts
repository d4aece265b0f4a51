import type { FileStepPlace } from "./files";

/** A commit of a session, from what its own commands printed. */
export type SessionCommit = FileStepPlace & {
  /** As long as it was printed. */
  hash: string;
  subject: string | null;
  /** `made` by a command of the session, `pushed` alone, or shown with a `trailer` that names the session. */
  how: "made" | "pushed" | "trailer";
  /** The branch it was made on. */
  ref: string | null;
  /** The branch it was pushed to, later on. */
  pushedTo: string | null;
  atMs: number | null;
};

/** A pull or merge request that a session opened, or that the client linked to it. */
export type SessionPullRequest = FileStepPlace & {
  number: number;
  url: string | null;
  repository: string | null;
  atMs: number | null;
};

/** `…/commits`, in order. */
export type CommitsResponse = { commits: SessionCommit[]; pullRequests: SessionPullRequest[] };
