import type { CallDetail } from "@/lib/wire/record";
import type { ToolRow } from "@/lib/wire/rows";

/** What every tool's view is drawn from: the row it opens under, and the call as the log has it. */
export type ToolViewProps = { row: ToolRow; call: CallDetail };
