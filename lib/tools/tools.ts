import { shownName } from "@/lib/format/shown-name";
/**
 * Each family has one file of views (`components/thread/tools`) and one of describers (`lib/log/rows/calls`), but
 * for `other`: such calls are shown by what is in their input and output.
 */
export type ToolFamily = "shell" | "files" | "search" | "web" | "agents" | "tasks" | "client" | "other";

/** What is known of a tool, whatever is done with it. */
export type Tool = {
  family: ToolFamily;
  /** Its other names in logs: of older clients, or as the API runs it. */
  aliases?: readonly string[];
  /** What a column shows where the name is too wide for it. */
  short?: string;
  /** The noun for a call's subject, singular and plural. Without it a run counts times. */
  noun?: readonly [one: string, many: string];
  /** Input fields that say what a call is about, the best first. A tool without them needs a describer. */
  about?: readonly string[];
  /** Its subject is a sentence, not code. */
  prose?: true;
  /** `question`: a call asks the user something. `never`: no version asks permission for one. Others may. */
  asks?: "question" | "never";
  /** What a call starts. A shell is one on the user's machine. */
  starts?: "agent" | "shell" | "workflow";
  /** What it does to the files that its input names. */
  files?: "reads" | "changes";
  /** A call shows what a background task has printed, or ends it. */
  followsTask?: true;
  /** A call adds a task to the list, or names one by its id. */
  task?: "adds" | "names";
  /** Each call deserves a row of its own, as those do that start an agent or ask the user. */
  alone?: true;
  /** Input fields that the client adds to the log and that no request has. */
  loggedOnly?: readonly string[];
};

/** Fields that most likely hold the subject of an unknown tool's call, the best first. */
export const USUAL_FIELDS = [
  "command",
  "file_path",
  "path",
  "notebook_path",
  "pattern",
  "query",
  "url",
  "description",
  "name",
  "subject",
  "message",
  "prompt",
  "text",
  "id",
] as const;

const FILE = ["file", "files"] as const;
const NOTEBOOK = ["notebook", "notebooks"] as const;
const COMMAND = ["command", "commands"] as const;
const SEARCH = ["search", "searches"] as const;

/**
 * Every tool that clients 1.0.60 to 2.1.330 were recorded calling, and those known by name alone, in the order in which
 * a search offers them. Everything that the program knows about a tool by its name is here or enforced from here: the
 * compiler asks for a view in its family's file, and for a describer where it names no fields in `about`.
 */
const TOOLS = {
  Bash: { family: "shell", noun: COMMAND, starts: "shell" },
  Edit: { family: "files", noun: FILE, files: "changes" },
  Read: { family: "files", noun: FILE, files: "reads" },
  Write: { family: "files", noun: FILE, files: "changes" },
  Grep: { family: "search", noun: SEARCH, asks: "never" },
  Glob: { family: "search", noun: ["pattern", "patterns"], asks: "never" },
  Agent: { family: "agents", aliases: ["Task"], prose: true, asks: "never", starts: "agent" },
  WebFetch: { family: "web", aliases: ["web_fetch"], noun: ["page", "pages"] },
  WebSearch: { family: "web", aliases: ["web_search"], noun: SEARCH, prose: true },
  MultiEdit: { family: "files", noun: FILE, files: "changes" },
  NotebookEdit: { family: "files", short: "Notebook", noun: NOTEBOOK, files: "changes" },
  NotebookRead: { family: "files", short: "Notebook", noun: NOTEBOOK, files: "reads" },
  LS: { family: "files", noun: ["folder", "folders"], asks: "never" },
  PowerShell: { family: "shell", noun: COMMAND, starts: "shell" },
  TaskOutput: {
    family: "shell",
    aliases: ["BashOutput", "AgentOutput", "AgentOutputTool"],
    asks: "never",
    followsTask: true,
  },
  TaskStop: { family: "shell", aliases: ["KillShell", "KillBash"], asks: "never", followsTask: true },
  Monitor: { family: "shell", about: ["command", "description"] },
  TodoWrite: { family: "tasks", prose: true, asks: "never" },
  TodoRead: { family: "tasks", about: [], asks: "never" },
  TaskCreate: { family: "tasks", noun: ["task", "tasks"], prose: true, asks: "never", task: "adds" },
  TaskUpdate: { family: "tasks", prose: true, asks: "never", task: "names" },
  TaskGet: { family: "tasks", prose: true, asks: "never", task: "names" },
  TaskList: { family: "tasks", asks: "never" },
  AskUserQuestion: {
    family: "client",
    aliases: ["ask_user_question"],
    short: "Question",
    prose: true,
    asks: "question",
  },
  EnterPlanMode: {
    family: "client",
    aliases: ["enter_plan_mode"],
    short: "Plan",
    prose: true,
    asks: "never",
    alone: true,
  },
  ExitPlanMode: {
    family: "client",
    aliases: ["exit_plan_mode"],
    short: "Plan",
    prose: true,
    asks: "question",
    // From 2.0.76 on; before, the plan is the model's own input.
    loggedOnly: ["plan", "planFilePath"],
  },
  Skill: { family: "client", noun: ["skill", "skills"] },
  SlashCommand: { family: "client", short: "Command", noun: COMMAND },
  EnterWorktree: { family: "client", short: "Worktree" },
  ExitWorktree: { family: "client", short: "Worktree" },
  SendMessage: {
    family: "agents",
    short: "Message",
    alone: true,
    loggedOnly: ["type", "recipient", "recipient_kind", "content"],
  },
  Workflow: { family: "agents", starts: "workflow" },
  ToolSearch: { family: "client", asks: "never" },
  // Run by the API itself, in its own container.
  bash_code_execution: { family: "shell", noun: COMMAND, about: ["command"] },
  code_execution: { family: "other", about: USUAL_FIELDS },
  text_editor_code_execution: { family: "other", about: USUAL_FIELDS },
  tool_search: { family: "other", about: USUAL_FIELDS },
  // Known by name; their subjects are in their fields.
  LSP: { family: "other", about: USUAL_FIELDS },
  StructuredOutput: { family: "other", short: "Output", about: USUAL_FIELDS, asks: "never" },
  advisor: { family: "other", about: USUAL_FIELDS },
  Cd: { family: "other", about: USUAL_FIELDS },
  ReportFindings: { family: "other", about: USUAL_FIELDS },
  WaitForMcpServers: { family: "other", short: "MCP wait", about: USUAL_FIELDS },
  ListAgents: { family: "other", about: USUAL_FIELDS },
  TeamCreate: { family: "other", about: USUAL_FIELDS },
  TeamDelete: { family: "other", about: USUAL_FIELDS },
  ScheduleWakeup: { family: "other", short: "Wake-up", about: USUAL_FIELDS },
  RemoteTrigger: { family: "other", about: USUAL_FIELDS },
  CronCreate: { family: "other", about: USUAL_FIELDS },
  CronDelete: { family: "other", about: USUAL_FIELDS },
  CronList: { family: "other", about: USUAL_FIELDS },
  PushNotification: { family: "other", short: "Notify", about: USUAL_FIELDS },
  Artifact: { family: "other", about: USUAL_FIELDS },
  SendUserFile: { family: "other", about: USUAL_FIELDS },
  ShareOnboardingGuide: { family: "other", about: USUAL_FIELDS },
  ListMcpResourcesTool: { family: "other", short: "MCP list", about: USUAL_FIELDS },
  ReadMcpResourceTool: { family: "other", short: "MCP read", about: USUAL_FIELDS },
} as const satisfies Readonly<Record<string, Tool>>;

type Tools = typeof TOOLS;

/** A tool by its current name; aliases are not included. */
export type ToolName = keyof Tools;

/** The tools of some families. */
export type ToolOf<Family extends ToolFamily> = {
  [Name in ToolName]: Tools[Name]["family"] extends Family ? Name : never;
}[ToolName];

/** The tools of some families whose calls no field of their input describes well enough. */
export type DescribedToolOf<Family extends ToolFamily> = {
  [Name in ToolOf<Family>]: Tools[Name] extends { about: readonly string[] } ? never : Name;
}[ToolOf<Family>];

/** The tools that have a view of their own. */
export type ViewedTool = Exclude<ToolName, ToolOf<"other">>;

type NamedTool = {
  [Name in ToolName]: Tool & { name: Name; family: Tools[Name]["family"] };
}[ToolName];

/** By every name that a log may give; a Map, since names in logs are untrusted keys. */
const BY_NAME: ReadonlyMap<string, NamedTool> = new Map(
  (Object.entries(TOOLS) as [ToolName, Tool][]).flatMap(([name, tool]) =>
    [name, ...(tool.aliases ?? [])].map((one) => [one, { ...tool, name } as NamedTool] as const),
  ),
);

/** All names that logs give to known tools. */
export const TOOL_NAMES: readonly string[] = [...BY_NAME.keys()];

/** The tool of this name or alias, `null` for one that this version does not know. */
export function toolNamed(name: string | null | undefined): NamedTool | null {
  return BY_NAME.get(name ?? "") ?? null;
}

/** A tool's name as its column shows it. */
export function shortToolName(name: string): string {
  return toolNamed(name)?.short ?? shownName(name);
}

/** `mcp__server__tool` as its two names; any other name stands alone. */
export function splitToolName(name: string): [server: string | null, tool: string] {
  const parts = /^mcp__(.+?)__(.+)$/.exec(name);
  return parts ? [parts[1] as string, parts[2] as string] : [null, name];
}

/** True for calls that may be folded into one row with their neighbours of the same tool. */
export function foldsIntoRuns(name: string): boolean {
  const tool = toolNamed(name);
  return !tool || !(tool.alone || tool.asks === "question" || startsAgents(tool));
}

/** True for calls whose work is done by agents. */
export function startsAgents({ starts }: Tool): boolean {
  return starts === "agent" || starts === "workflow";
}
