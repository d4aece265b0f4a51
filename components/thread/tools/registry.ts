import type { ComponentType } from "react";
import type { ToolViewProps } from "@/components/thread/opened-block";
import { AgentView, MessageView } from "./agent-view";
import { PlainToolView } from "./call-data";
import { EditView, ListView, ReadView } from "./file-views";
import { TaskOutputView } from "./later-output";
import { PlanModeView, PlanView, QuestionView, SkillView, WorktreeView } from "./plan-views";
import { SearchView } from "./search-view";
import { BashView, MonitorView, StopView } from "./shell-views";
import { TaskListView, TaskView, TodoView } from "./task-views";
import { ToolSearchView, WebFetchView, WebSearchView } from "./web-view";
import { WorkflowView } from "./workflow-view";

type View = ComponentType<ToolViewProps>;

const VIEWS: readonly [View, ...string[]][] = [
  [BashView, "Bash", "PowerShell", "bash_code_execution"],
  [TaskOutputView, "BashOutput", "TaskOutput", "AgentOutput", "AgentOutputTool"],
  [StopView, "KillShell", "KillBash", "TaskStop"],
  [MonitorView, "Monitor"],
  [ReadView, "Read", "NotebookRead"],
  [EditView, "Edit", "MultiEdit", "Write", "NotebookEdit"],
  [SearchView, "Glob", "Grep"],
  [ListView, "LS"],
  [WebFetchView, "WebFetch", "web_fetch"],
  [WebSearchView, "WebSearch", "web_search"],
  [AgentView, "Task", "Agent"],
  [MessageView, "SendMessage"],
  [WorkflowView, "Workflow"],
  [TodoView, "TodoWrite", "TodoRead"],
  [TaskView, "TaskCreate", "TaskUpdate", "TaskGet"],
  [TaskListView, "TaskList"],
  [PlanView, "ExitPlanMode", "exit_plan_mode"],
  [PlanModeView, "EnterPlanMode", "enter_plan_mode"],
  [QuestionView, "AskUserQuestion", "ask_user_question"],
  [SkillView, "Skill", "SlashCommand"],
  [ToolSearchView, "ToolSearch"],
  [WorktreeView, "EnterWorktree", "ExitWorktree"],
  // Run by the API itself.
  [PlainToolView, "code_execution", "text_editor_code_execution", "tool_search"],
  // Known by name; what they say is in their fields.
  [PlainToolView, "LSP", "StructuredOutput", "advisor", "Cd", "ReportFindings", "WaitForMcpServers"],
  [PlainToolView, "ListAgents", "TeamCreate", "TeamDelete", "ScheduleWakeup", "RemoteTrigger"],
  [PlainToolView, "CronCreate", "CronDelete", "CronList", "PushNotification", "Artifact"],
  [PlainToolView, "SendUserFile", "ShareOnboardingGuide", "ListMcpResourcesTool", "ReadMcpResourceTool"],
];

/** The view of each tool by its name in the log. A tool without one is shown by `RawToolView`. */
export const TOOL_VIEWS: ReadonlyMap<string, View> = new Map(
  VIEWS.flatMap(([view, ...names]) => names.map((name) => [name, view] as const)),
);
