import { type Transcript, writeRecord, writeText } from "./transcript";

/** A broken line, of the shapes that real logs have, or a record of a type that no version knows. */
export function writeDamage(transcript: Transcript): void {
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
