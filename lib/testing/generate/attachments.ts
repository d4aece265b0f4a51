import { deflateSync } from "node:zlib";
import { createRandom } from "./random";
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

/**
 * A real PNG of noise, in base64. Noise does not compress, so its size follows from the width:
 * about 4 × width² characters.
 */
export function noisePng(seed: number, width: number): string {
  const random = createRandom(seed);
  const pixels = Buffer.alloc((width * 3 + 1) * width);
  for (let at = 0; at < pixels.length; at++) pixels[at] = at % (width * 3 + 1) === 0 ? 0 : random.int(0, 255);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels, { level: 0 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return png.toString("base64");
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body), body.length + 4);
  return framed;
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

// node:zlib's own crc32 came with Node 20.15 and 22.2, and is absent from the types of Node 20.
function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 255]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
