import { randomUUID } from "node:crypto";
import { Annotations } from "@/lib/server/annotations/annotations";
import type { SessionId } from "@/lib/wire/ids";

// Adds stars and notes until it is killed, and says of each when it is written down: `node program.mjs FOLDER`.
const annotations = new Annotations(process.argv[2] ?? "", {
  latest: () => Promise.reject(new Error("There is no session")),
  changed: () => undefined,
  projectChanged: () => undefined,
  warn: () => undefined,
});
for (let n = 0; ; n++) {
  const id = randomUUID();
  const target = {
    sessionId: id as string as SessionId,
    projectId: null,
    recordId: null,
    block: null,
    selected: null,
    lines: null,
  };
  await annotations.add({
    id,
    kind: "note",
    target,
    body: `Note ${n} ${"é".repeat(n % 300)}`,
    replyTo: null,
    author: null,
  });
  process.stdout.write(`${id}\n`);
}
