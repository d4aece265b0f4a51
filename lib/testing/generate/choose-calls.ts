import { editCall, readCall, readImageCall, writeCall } from "./file-calls";
import { bytesLeft, type SessionContext } from "./session-context";
import { bashCall, globCall, grepCall, longBashCall, todoCall } from "./shell-calls";
import { plainCall, type ToolCall } from "./tool-call";

const AGENT_KINDS = ["general-purpose", "Explore", "Plan"];
/** What even a short agent takes: 2.1.330 opens each with a dozen lines of book-keeping. */
const AGENT_BYTES = { snapshots: 14_000, progress: 14_000, attachments: 34_000 };
const MEGABYTE = 1_000_000;

/** One call. `look` leaves out what changes files: recorded agents' lines hold no patches. */
export function chooseCall(context: SessionContext, purpose: "look" | "work"): ToolCall {
  const { random } = context;
  const roll = random.float();
  if (roll < 0.36) return bashCall(context);
  if (roll < 0.62) return readCall(context);
  if (roll < 0.72) return grepCall(context);
  if (roll < 0.76) return globCall(context);
  if (purpose === "look") return bashCall(context);
  if (roll < 0.92) return editCall(context);
  if (roll < 0.96) return writeCall(context);
  return todoCall(context);
}

/** The calls of one message: mostly one, sometimes several at once, now and then something very long. */
export function chooseCalls(context: SessionContext): ToolCall[] {
  const { random, plan } = context;
  if (context.hugeLinesLeft > 0 && bytesLeft(context) > 6 * MEGABYTE && random.chance(0.02)) {
    context.hugeLinesLeft--;
    return [
      random.chance(0.3) ? readImageCall(context, 560) : longBashCall(context, random.int(1, 2) * MEGABYTE),
    ];
  }
  if (
    context.agentsLeft > 0 &&
    bytesLeft(context) > AGENT_BYTES[context.dialect.extras] &&
    random.chance(agentChance(context))
  ) {
    const count = Math.min(
      context.agentsLeft,
      bytesLeft(context) > 200_000 && random.chance(0.4) ? random.int(2, 3) : 1,
    );
    context.agentsLeft -= count;
    return Array.from({ length: count }, () => agentCall(context));
  }
  if (plan.textScale >= 1 && bytesLeft(context) > MEGABYTE / 2 && random.chance(0.006)) {
    return [longBashCall(context, random.int(32_000, 90_000))];
  }
  if (bytesLeft(context) > 300_000 && random.chance(0.008))
    return [readImageCall(context, random.int(16, 60))];
  const count = random.chance(0.22) ? random.int(2, bytesLeft(context) > 60_000 ? 4 : 2) : 1;
  return Array.from({ length: count }, () => chooseCall(context, "work"));
}

// Spread over the session: an agent takes some 50 kB with what surrounds it.
function agentChance(context: SessionContext): number {
  const steps = Math.max(4, bytesLeft(context) / 8000);
  return Math.min(0.5, context.agentsLeft / steps);
}

function agentCall(context: SessionContext): ToolCall {
  const { random, prose, dialect } = context;
  const description = prose.sentence().slice(0, 32);
  const prompt = prose.sentences(Math.max(40, 400 * context.plan.textScale));
  const type = random.pick(AGENT_KINDS);
  const background = dialect.extras === "attachments" && random.chance(0.6);
  return {
    ...plainCall(dialect.agentTool, { description, prompt, subagent_type: type }, "", null),
    agent: { description, prompt, type, background },
  };
}
