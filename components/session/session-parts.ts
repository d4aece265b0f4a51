import { PagePart } from "@/lib/client/page-part";

/** The views that stand in the thread's place. */
export const SESSION_VIEWS = new PagePart(() => import("./session-views"));

/** What is known of a record, beside the thread: its facts and what the model was sent. */
export const RECORD_PANES = new PagePart(() => import("./panes/record-pane"));

/** The dialogs of a session: what there is to know of it, and its export. */
export const SESSION_DIALOGS = new PagePart(() => import("./about/session-dialogs"));
