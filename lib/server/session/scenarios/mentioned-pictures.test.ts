import { expect, test } from "vitest";
import { answer, makeTree, prompt, uuid } from "@/lib/testing/log-tree";
import { openFolder, settled } from "@/lib/testing/transcript";
import type { SessionId } from "@/lib/wire/ids";

const SESSION = uuid(1) as SessionId;
const OWN = { sessionId: SESSION, version: "2.1.332" };

/** What the client writes of a file that a prompt mentions, behind the prompt. */
function mention(name: string, parentUuid: string, content: object) {
  const attachment = { type: "file", filename: `/home/dev/shop/${name}`, content, displayPath: name };
  return { ...OWN, type: "attachment", uuid: `f-${name}`, parentUuid, isSidechain: false, attachment };
}

test("pictures that a prompt mentions are sent ahead of it, and other files not as they are (2.0.76 to 2.1.332)", async () => {
  const picture = (base64: string) => ({
    type: "image",
    file: { base64, type: "image/png", originalSize: 88 },
  });
  const text = { type: "text", file: { filePath: "/home/dev/shop/a.txt", content: "a", numLines: 1 } };
  const folder = await openFolder(
    makeTree({
      [`projects/-shop/${SESSION}.jsonl`]: [
        prompt("hello", { ...OWN, parentUuid: null }),
        answer("hello back", { ...OWN, parentUuid: "u-hello" }),
        prompt("look at @a.png @a.txt @b.png", { ...OWN, uuid: "u-look", parentUuid: "a-hello back" }),
        mention("a.png", "u-look", picture("aaaa")),
        mention("a.txt", "f-a.png", text),
        mention("b.png", "f-a.txt", picture("bbbb")),
        answer("two pictures", { ...OWN, parentUuid: "f-b.png" }),
      ],
    }),
  );
  const { messages } = await settled(() => folder.sessions.messages(SESSION, "a-two pictures"));
  const image = (data: string) => ({
    type: "image",
    source: { type: "base64", data, media_type: "image/png" },
  });
  expect(messages.at(-1)).toMatchObject({
    role: "user",
    content: [image("aaaa"), image("bbbb"), { type: "text", text: "look at @a.png @a.txt @b.png" }],
  });
  expect(messages).toHaveLength(3);
});
