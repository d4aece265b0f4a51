import { writeOpeningAttachments } from "./attachments";
import { chooseCalls } from "./choose-calls";
import { writeCompaction } from "./compaction";
import { DIALECTS } from "./dialect";
import { writeInterruption, writePrompt, writeQueuedPrompt, writeTaskNotification } from "./human-turn";
import { createPlanter } from "./plants";
import { createProse, type Vocabulary } from "./prose";
import { createRandom } from "./random";
import { writeTurnEnd } from "./request-records";
import { bytesLeft, type SessionContext, type SessionPlan, textSize } from "./session-context";
import { longBashCall } from "./shell-calls";
import { writeAnswer, writeToolStep } from "./step";
import type { Storage } from "./storage";
import { openTranscript, type Transcript, writeRecord, writeText } from "./transcript";
import { emptySessionTruth, type SessionTruth } from "./truth";
import { createWorkingFiles } from "./working-files";

/** The model's window less what a summary needs: past it the client compacts by itself. */
const COMPACT_ABOVE_TOKENS = 155_000;
/** What a step and the last turn's end may take, request records of 2.1.330 included. */
const CLOSING_BYTES = { snapshots: 6000, progress: 6000, attachments: 11_000 };
/** What a line of the model's takes beside its text, with its request record in 2.1.330. */
const ANSWER_BYTES = { snapshots: 830, progress: 840, attachments: 2450 };

type Turn = { parent: string | null };

/** Writes one session with all that hangs from it and says what is in it. */
export function writeSession(
  storage: Storage,
  plan: SessionPlan,
  vocabulary: Vocabulary,
  seed: number,
): SessionTruth {
  const context = createContext(storage, plan, vocabulary, seed);
  const { truth, random } = context;
  const main = openTranscript(context, truth.path, null);
  const turns: Turn[] = [];
  while (!isFull(context)) {
    if (context.contextTokens > COMPACT_ABOVE_TOKENS && bytesLeft(context) > 300_000) {
      writeCompaction(main);
      turns.length = 0;
    }
    writeTurn(main, turns);
    if (plan.damage && random.chance(0.3)) writeDamage(main);
  }
  fill(main);
  writeTitle(main);
  truth.agents = truth.agentIds.length;
  main.file.close(truth.lastActiveAtMs);
  return truth;
}

function createContext(
  storage: Storage,
  plan: SessionPlan,
  vocabulary: Vocabulary,
  seed: number,
): SessionContext {
  const random = createRandom(seed);
  const prose = createProse(random, vocabulary);
  const path = `projects/${plan.slug}/${plan.id}.jsonl`;
  const truth = emptySessionTruth(plan.id, path, plan.cwd, plan.startedAtMs);
  truth.gitBranch = plan.gitBranch;
  const spread = Math.min(40, Math.floor(plan.bytes / 60_000));
  return {
    plan,
    dialect: DIALECTS[plan.version],
    random,
    prose,
    planter: createPlanter(random, plan.id, spread, truth.plants),
    storage,
    truth,
    files: createWorkingFiles(random, prose, plan.cwd, plan.textScale),
    nowMs: plan.startedAtMs,
    contextTokens: 0,
    promptId: random.uuid(),
    turnIndex: 0,
    agentsLeft: plan.agents,
    hugeLinesLeft: plan.hugeLines,
  };
}

/** A prompt and the steps that follow it; sometimes from further back, sometimes cut short. */
function writeTurn(main: Transcript, turns: Turn[]): void {
  const { context } = main;
  const { random, truth } = context;
  const turnStartedAtMs = context.nowMs;
  const agentsBefore = truth.agentIds.length;
  const rewound =
    turns.length > 2 && random.chance(0.04)
      ? rewind(turns, random.int(1, Math.min(3, turns.length - 2)))
      : null;
  if (rewound) truth.branches++;
  const parent = rewound ? rewound.parent : main.leaf;
  turns.push({ parent });
  const prompt = writePrompt(main, parent);
  if (truth.turns === 1) writeOpeningAttachments(main);

  const steps = Math.max(1, Math.round(random.logNormal(5, 0.8)));
  for (let step = 0; step < steps && !isFull(context); step++) {
    const interrupted = random.chance(0.008);
    writeToolStep(main, chooseCalls(context), interrupted);
    if (interrupted) {
      writeInterruption(main);
      return;
    }
    if (random.chance(0.012)) writeQueuedPrompt(main);
  }
  writeAnswer(main, context.planter.plant("text", context.prose.markdown(textSize(context, 900))));
  writeTurnEnd(main, prompt, turnStartedAtMs);
  if (context.dialect.extras !== "attachments" || truth.agentIds.length === agentsBefore) return;
  writeTaskNotification(main, truth.agentIds.at(-1)!);
  writeAnswer(main, context.prose.sentences(textSize(context, 200)));
}

function rewind(turns: Turn[], back: number): Turn {
  const target = turns[turns.length - back]!;
  turns.length -= back;
  return target;
}

function isFull(context: SessionContext): boolean {
  const { truth, plan } = context;
  return (
    truth.records >= plan.records ||
    bytesLeft(context) < Math.min(CLOSING_BYTES[context.dialect.extras], plan.bytes / 3)
  );
}

/** Meets the wanted size with a last output, where much is missing, and a last answer. */
function fill(main: Transcript): void {
  const { context } = main;
  const { truth, plan, dialect, prose } = context;
  if (truth.records >= plan.records) return;
  if (bytesLeft(context) > 20_000) {
    // An output stands twice in its line.
    writeToolStep(main, [longBashCall(context, Math.round((bytesLeft(context) - 12_000) / 2.1))]);
  }
  const left = bytesLeft(context) - ANSWER_BYTES[dialect.extras];
  if (left > 40) writeAnswer(main, prose.sentences(left).slice(0, left));
}

/** Titles as the versions keep them: 2.1.330's model mostly finds one, users seldom give one. */
function writeTitle(main: Transcript): void {
  const { context } = main;
  const { random, truth, plan, prose, dialect } = context;
  const title = prose.sentence().replaceAll("`", "").slice(0, 48).trim();
  if (dialect.extras === "attachments" && random.chance(0.8)) {
    writeRecord(main, { type: "ai-title", aiTitle: title, sessionId: plan.id });
    Object.assign(truth, { title, titleSource: "ai" });
  }
  if (!random.chance(0.08)) return;
  const customTitle = `${title} (kept)`;
  writeRecord(main, { type: "custom-title", customTitle, sessionId: plan.id });
  Object.assign(truth, { title: customTitle, titleSource: "custom" });
}

/** A broken line, of the shapes that real logs have, or a record of a type that no version knows. */
function writeDamage(transcript: Transcript): void {
  const { context } = transcript;
  const { random, truth, plan } = context;
  switch (random.int(0, 3)) {
    case 0:
      truth.unknown++;
      writeRecord(transcript, {
        type: "weather-report",
        sessionId: plan.id,
        outlook: context.prose.sentence(),
      });
      return;
    case 1:
      writeText(transcript, `{"parentUuid":"${random.uuid()}","type":"user","message":{"role":"user","con\n`);
      break;
    case 2:
      writeText(transcript, `${"\0".repeat(random.int(3, 400))}\n`);
      break;
    default:
      writeText(transcript, "not JSON at all\n");
  }
  truth.unreadable++;
}
