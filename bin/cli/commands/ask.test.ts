import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";
import { fakeApi } from "@/lib/testing/fake-api";
import { ask } from "./ask.mjs";

it("asks the server itself: not by fetch, which may send what it is given to a proxy, the token as well", async () => {
  vi.stubGlobal("fetch", () => {
    throw new Error("sent to a proxy");
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  let isFirst = true;
  const answer: RequestListener = (request, response) => {
    const { method, url, headers } = request;
    // While something is read it says how far it is.
    if (isFirst) response.statusCode = 202;
    isFirst = false;
    void text(request).then((body) =>
      response.end(`${method} ${url} ${headers.authorization} ${headers["content-type"]} ${body}`),
    );
  };
  const server = await fakeApi(answer, { basePath: "/logs" });
  const put = await ask(server, "a?b=1", { method: "PUT", json: { c: "ä" } });
  expect(await put.text()).toBe('PUT /logs/api/a?b=1 Bearer t application/json {"c":"ä"}');
  expect(await (await ask(server, "a")).text()).toBe("GET /logs/api/a Bearer t undefined ");
});

it("says what the API says is wrong, and what was refused without a word", async () => {
  const error = { message: "There is no such session", hint: "Look elsewhere" };
  const server = await fakeApi(({ url = "" }, response) => {
    response.statusCode = 404;
    response.end(url.includes("said") ? JSON.stringify({ error }) : "");
  });
  await expect(ask(server, "said")).rejects.toThrow("There is no such session. Look elsewhere");
  await expect(ask(server, "")).rejects.toThrow("the server refused it (404)");
});

it("calls a parameter by the flag that it was given with", async () => {
  const error = { message: 'The parameter "from" is not valid', hint: "Take format=jsonl, a clone" };
  const server = await fakeApi((_, response) => {
    response.statusCode = 400;
    response.end(JSON.stringify({ error }));
  });
  await expect(ask(server, "usage")).rejects.toThrow(
    "The flag --from is not valid. Take --format jsonl, a clone",
  );
});
