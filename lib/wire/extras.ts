import type { CutText } from "./row-base";

/** What else the client keeps of a session, beside its logs. */
export type ExtraKind = "plan" | "todos" | "task" | "memory" | "history" | "file-history";

/** `id`: names it in `…/extras/{id}`. `bytes`: of its text. `atMs`: last changed. */
export type SessionExtra = { id: string; kind: ExtraKind; name: string; bytes: number; atMs: number | null };

/** `GET /api/sessions/{id}/extras` */
export type ExtrasResponse = { extras: SessionExtra[] };

/** `GET /api/sessions/{id}/extras/{extraId}`: the text, cut at 1 MiB. */
export type ExtraText = SessionExtra & { text: CutText };
