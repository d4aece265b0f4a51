import { firstWords } from "@/lib/log/rows/row-context";
import type { CallFacts, CallLine } from "./call-facts";
import {
  describeBash,
  describeEdit,
  describeGlob,
  describeGrep,
  describeKill,
  describeList,
  describeMonitor,
  describeMultiEdit,
  describeNotebook,
  describeRead,
  describeShellOutput,
  describeWrite,
} from "./describe-files";
import {
  describeAgent,
  describeAny,
  describeFetch,
  describeMessage,
  describePlan,
  describeQuestion,
  describeSkill,
  describeTaskCreate,
  describeTaskList,
  describeTaskUpdate,
  describeTodos,
  describeToolSearch,
  describeWebSearch,
  describeWorkflow,
  describeWorktree,
} from "./describe-others";

const DESCRIBERS = new Map<string, (facts: CallFacts) => CallLine>([
  ["Bash", describeBash],
  ["PowerShell", describeBash],
  ["BashOutput", describeShellOutput],
  ["TaskOutput", describeShellOutput],
  ["AgentOutput", describeShellOutput],
  ["KillShell", describeKill],
  ["KillBash", describeKill],
  ["TaskStop", describeKill],
  ["Monitor", describeMonitor],
  ["Read", describeRead],
  ["Write", describeWrite],
  ["Edit", describeEdit],
  ["MultiEdit", describeMultiEdit],
  ["NotebookEdit", describeNotebook],
  ["NotebookRead", describeNotebook],
  ["Glob", describeGlob],
  ["Grep", describeGrep],
  ["LS", describeList],
  ["Task", describeAgent],
  ["Agent", describeAgent],
  ["SendMessage", describeMessage],
  ["Workflow", describeWorkflow],
  ["TodoWrite", describeTodos],
  ["TaskCreate", describeTaskCreate],
  ["TaskUpdate", describeTaskUpdate],
  ["TaskList", describeTaskList],
  ["TaskGet", describeTaskUpdate],
  ["EnterWorktree", describeWorktree],
  ["ExitWorktree", describeWorktree],
  ["WebFetch", describeFetch],
  ["WebSearch", describeWebSearch],
  ["web_search", describeWebSearch],
  ["ExitPlanMode", describePlan],
  ["exit_plan_mode", describePlan],
  ["AskUserQuestion", describeQuestion],
  ["ask_user_question", describeQuestion],
  ["Skill", describeSkill],
  ["SlashCommand", describeSkill],
  ["ToolSearch", describeToolSearch],
]);

/** A call in one line. A failed one says why in its first words. */
export function describeCall(facts: CallFacts): CallLine {
  const line = (DESCRIBERS.get(facts.name) ?? describeAny)(facts);
  if (!facts.isError || line.result?.startsWith("exit ")) return line;
  // Without a terminal (`-p`) the client answers such a call with its own question.
  if (/^(?:Error: )?(?:Exit plan mode|Answer questions)\?$/.test(facts.text ?? ""))
    return { ...line, result: "nobody to ask" };
  return { ...line, result: firstWords(plainError(facts.text ?? ""), 90) || "failed" };
}

/** The words of an error without the client's wrapping. */
function plainError(text: string): string {
  return text
    .replace(/<\/?tool_use_error>/g, "")
    .replace(/^Error:\s*/, "")
    .trim();
}
