/** Names wider than the column have a fixed short form. */
const SHORT = new Map([
  ["AskUserQuestion", "Question"],
  ["ask_user_question", "Question"],
  ["ExitPlanMode", "Plan"],
  ["exit_plan_mode", "Plan"],
  ["EnterPlanMode", "Plan"],
  ["NotebookEdit", "Notebook"],
  ["NotebookRead", "Notebook"],
  ["ListMcpResourcesTool", "MCP list"],
  ["ReadMcpResourceTool", "MCP read"],
  ["EnterWorktree", "Worktree"],
  ["ExitWorktree", "Worktree"],
  ["SlashCommand", "Command"],
  ["SendMessage", "Message"],
  ["StructuredOutput", "Output"],
  ["PushNotification", "Notify"],
  ["ScheduleWakeup", "Wake-up"],
  ["WaitForMcpServers", "MCP wait"],
]);

/** A tool's name as its column shows it. */
export function shortToolName(name: string): string {
  return SHORT.get(name) ?? name;
}
