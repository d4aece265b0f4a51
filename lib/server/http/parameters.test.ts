import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { isViewerError } from "@/lib/server/runtime/viewer-error";
import { AnnotationRemoval } from "@/lib/wire/requests/annotations";
import { FileVersionsRequest } from "@/lib/wire/requests/files";
import { RecordPath, SessionPath } from "@/lib/wire/requests/records";
import { SearchRequest } from "@/lib/wire/requests/search";
import { ShareBody } from "@/lib/wire/requests/shares";
import { OutlineRequest } from "@/lib/wire/requests/threads";
import { parseBody, parsePath, parseSearchParams } from "./parameters";

const read = (query: string) => parseSearchParams(new Request(`http://localhost/x?${query}`), OutlineRequest);

function refusal(query: string): string {
  try {
    read(query);
    return "accepted";
  } catch (error) {
    return isViewerError(error) ? `${error.status} ${error.message}. ${error.hint}` : String(error);
  }
}

describe("parseSearchParams", () => {
  it("fills in what is absent and reads what is there", () => {
    expect(read("")).toEqual({ branch: null, from: 0, count: 1000, detail: "tools", fold: [], runs: null });
    expect(read("detail=prompts&count=7&fold=1-3,9&unknown=1")).toMatchObject({
      detail: "prompts",
      count: 7,
      fold: [1, 2, 3, 9],
    });
    expect(read("fold=").fold).toEqual([]);
    expect(read("fold=9-1").fold).toEqual([]);
  });

  it("names the parameter and what is allowed", () => {
    expect(refusal("detail=all")).toBe(
      '400 The parameter "detail" is not valid. Allowed is one of prompts, conversation, tools, everything.',
    );
    expect(refusal("count=5001")).toBe(
      '400 The parameter "count" is not valid. Allowed is a whole number from 1 to 5000.',
    );
    expect(refusal("count=-1")).toContain("count");
    expect(refusal("count=1e2")).toContain("count");
    expect(refusal("fold=a")).toContain("turn numbers and ranges");
  });

  it("says so of what is missing, too long or of another kind, too", async () => {
    const hint = (schema: z.ZodType, query: string) => {
      try {
        return parseSearchParams(new Request(`http://localhost/x?${query}`), schema);
      } catch (error) {
        return isViewerError(error) && error.hint;
      }
    };
    expect(hint(SearchRequest, `q=${"a".repeat(1001)}`)).toBe("Allowed is at most 1000 characters.");
    expect(hint(FileVersionsRequest, "")).toBe("Allowed is a text.");
    expect(hint(FileVersionsRequest, "path=")).toBe("Allowed is at least 1 characters.");
    expect(hint(AnnotationRemoval, "revision=x")).toBe("Allowed is a number.");
    const body = new Request("http://localhost/x", {
      method: "POST",
      body: '{"sessionId":"a","expiresInMs":0.5}',
    });
    await expect(parseBody(body, ShareBody)).rejects.toMatchObject({ hint: "Allowed is a whole number." });
  });

  it("takes no body for an empty one, and none that is cut short or breaks off", async () => {
    const removal = (body: BodyInit | null) =>
      parseBody(
        new Request("http://localhost/x", { method: "DELETE", body, duplex: "half" } as RequestInit),
        AnnotationRemoval,
      );
    expect(await removal(null)).toEqual({});
    expect(await removal(" ")).toEqual({});
    expect(await removal('{"revision":7}')).toEqual({ revision: 7 });
    // Taken for an empty one, it would remove what somebody else has changed meanwhile.
    await expect(removal('{"revision":7')).rejects.toMatchObject({
      code: "bad-body",
      status: 400,
      hint: "Send an object in JSON.",
    });
    const breaks = new ReadableStream({ pull: (stream) => stream.error(new Error("The connection broke")) });
    await expect(removal(breaks)).rejects.toMatchObject({
      code: "bad-body",
      status: 400,
      hint: "Send the request again.",
    });
  });

  it("makes no more folded turns than a session can have", () => {
    expect(read("fold=0-9999999,0-9999999").fold.length).toBeLessThanOrEqual(20_000);
  });
});

describe("parsePath", () => {
  const Path = SessionPath.extend(RecordPath.partial().shape);
  const accepts = (params: object) =>
    parsePath(Promise.resolve(params), Path).then(
      () => true,
      () => false,
    );

  it("lets ids through and nothing that a path is made of", async () => {
    expect(
      await accepts({
        id: "78341f2d-a583-42a4-95ea-476d6053cc8e",
        recordId: "m~1k9",
      }),
    ).toBe(true);
    for (const id of ["../x", "a/b", "a\\b", "a\0b", "", "a%2fb", "x".repeat(300)]) {
      expect(await accepts({ id }), id).toBe(false);
    }
    expect(await accepts({ id: "a", recordId: "m" })).toBe(false);
  });
});
