import type { ComponentType } from "react";
import { AgentView } from "./agent-view";
import { BashView } from "./bash-view";
import { EditView } from "./edit-view";
import { PlanView } from "./plan-view";
import { QuestionView } from "./question-view";
import { ReadView } from "./read-view";
import { SearchView } from "./search-view";
import { TodoView } from "./todo-view";
import type { ToolViewProps } from "./tool-view-props";
import { WebFetchView } from "./web-fetch-view";
import { WebSearchView } from "./web-search-view";

/** The view of each tool by its name in the log. A tool without one is shown by `RawToolView`. */
export const TOOL_VIEWS: ReadonlyMap<string, ComponentType<ToolViewProps>> = new Map([
  ["Bash", BashView],
  ["PowerShell", BashView],
  ["Read", ReadView],
  ["NotebookRead", ReadView],
  ["Edit", EditView],
  ["MultiEdit", EditView],
  ["Write", EditView],
  ["NotebookEdit", EditView],
  ["Glob", SearchView],
  ["Grep", SearchView],
  ["TodoWrite", TodoView],
  ["Task", AgentView],
  ["Agent", AgentView],
  ["WebFetch", WebFetchView],
  ["WebSearch", WebSearchView],
  ["ExitPlanMode", PlanView],
  ["exit_plan_mode", PlanView],
  ["AskUserQuestion", QuestionView],
  ["ask_user_question", QuestionView],
]);
