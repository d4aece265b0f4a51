import { resultText } from "@/components/content/log-values";
import { fieldsOf, textField } from "@/lib/format/json-values";
import { startedTask } from "@/lib/tools/started-task";
import type { CallDetail } from "@/lib/wire/record";

/** Whether lines that are still to come may say more of a call: it has not ended, or what it started goes on behind it. */
export function goesOn(call: CallDetail): boolean {
  const structured = call.results[0]?.structured;
  return (
    call.results.length === 0 ||
    textField(structured, "backgroundTaskId") !== null ||
    textField(structured, "shellId") !== null ||
    fieldsOf(structured).isAsync === true ||
    textField(structured, "status") === "async_launched" ||
    startedTask(resultText(call).text) !== null
  );
}
