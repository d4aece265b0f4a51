import { isoTime, pass, type Transcript, writeNode } from "./transcript";

const TOOL_NAMES = [
  "Agent",
  "Bash",
  "Edit",
  "Glob",
  "Grep",
  "Read",
  "Skill",
  "TaskCreate",
  "TodoWrite",
  "ToolSearch",
  "Write",
];

/** The lines that 2.1.330 hangs between a first prompt and its answer. */
export function writeOpeningAttachments(transcript: Transcript): void {
  const { context } = transcript;
  if (context.dialect.extras !== "attachments") return;
  const { plan, prose } = context;
  const day = isoTime(context.nowMs).slice(0, 10);
  const attachments: Record<string, unknown>[] = [
    {
      type: "environment",
      snapshot: {
        workingDirectory: plan.cwd,
        isWorktree: false,
        isGitRepo: true,
        additionalWorkingDirectories: [],
        platform: "linux",
        shell: "bash",
        osVersion: "Linux 6.18.44",
      },
    },
    {
      type: "model",
      identity: { modelId: context.dialect.model, marketingName: "Opus 5.5" },
      text: prose.sentence(),
    },
    {
      type: "skill_listing",
      content: ownText(transcript, 6000),
      skillCount: 15,
      isInitial: true,
    },
    { type: "auto_mode", bashFirst: true, bashFirstSteer: "relaxed", steerOnly: true, bypass: true },
    {
      type: "instructions",
      files: [{ path: `${plan.cwd}/CLAUDE.md`, type: "Project", content: prose.sentences(400) }],
    },
    { type: "date", date: day },
  ];
  for (const attachment of attachments) writeAttachment(transcript, attachment, ownText(transcript, 900));
  writePromptSnapshot(transcript);
}

/** The system prompt with all tools, which 2.1.330 repeats whenever they may have changed. */
export function writePromptSnapshot(transcript: Transcript): void {
  if (transcript.context.dialect.extras !== "attachments") return;
  const systemPrompt = Array.from({ length: 10 }, () => ownText(transcript, 1800));
  writeAttachment(transcript, {
    type: "prompt_snapshot",
    systemPrompt,
    tools: toolDefinitions(transcript),
    reminderFold: false,
    echoWireToolInputs: false,
    contextRendering: "announced",
  });
}

/** One attachment line, with the text that the model got. */
function writeAttachment(
  transcript: Transcript,
  attachment: Record<string, unknown>,
  rendered?: string,
): string {
  pass(transcript.context, 2);
  const shown =
    rendered === undefined
      ? {}
      : {
          rendered: [{ content: `<system-reminder>\n${rendered}\n</system-reminder>` }],
          renderedRole: "system",
        };
  return writeNode(transcript, transcript.leaf, { attachment, type: "attachment" }, shown);
}

/** The definitions of all tools, as prompt snapshots and request shapes hold them. */
export function toolDefinitions(transcript: Transcript): unknown[] {
  const { prose } = transcript.context;
  return TOOL_NAMES.map((name) => ({
    name,
    description: ownText(transcript, 1800),
    input_schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { description: { description: prose.sentence(), type: "string" } },
      required: ["description"],
      additionalProperties: false,
    },
  }));
}

/** A text of the client's own. As long in a short session as in a long one; but tests want small ones. */
export function ownText({ context }: Transcript, size: number): string {
  const { plan, prose } = context;
  return prose.sentences(
    Math.max(40, Math.round(size * Math.min(1, plan.textScale, plan.bytes / 2_000_000))),
  );
}
