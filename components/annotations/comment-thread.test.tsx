// @vitest-environment page
import { expect, it } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import type { Annotation } from "@/lib/wire/annotations";
import type { RecordId, SessionId } from "@/lib/wire/ids";
import { CommentThreadView } from "./comment-thread";
import { UnsentComments, UnsentContext } from "./unsent-comments";

const sessionId = "s1" as SessionId;
const place = {
  projectId: null,
  recordId: "m~0" as RecordId,
  uuid: null,
  block: 0,
  range: null,
  lines: null,
};

function comment(quote: Annotation["target"]["quote"]): Annotation {
  const never = { editedAtMs: null, resolvedAtMs: null, sentAtMs: null };
  return {
    ...{ id: "c1", kind: "comment", body: "Why?", author: null, replyTo: null, createdAtMs: 1, revision: 1 },
    ...{ ...never, state: "anchored", target: { ...place, sessionId, quote, hash: null } },
  };
}

async function quoted(quote: Annotation["target"]["quote"]): Promise<string | null | undefined> {
  await drawnPage().draw(
    <UnsentContext value={new UnsentComments(sessionId)}>
      <CommentThreadView
        thread={{ begins: comment(quote), answers: [] }}
        guest={null}
        isShown={false}
        onGo={() => undefined}
        onChanged={() => undefined}
      />
    </UnsentContext>,
  );
  return document.querySelector('[title="Go to these lines"]')?.textContent;
}

it("quotes what the page draws, and code as it is", async () => {
  const around = { prefix: "", suffix: "" };
  expect(await quoted({ exact: "the **shop** of `a`", shown: "the shop of a", ...around })).toBe(
    "the shop of a",
  );
  expect(await quoted({ exact: "a ** b", ...around })).toBe("a ** b");
});
