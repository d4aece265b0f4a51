import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { SessionTruth } from "@/lib/testing/generate/truth";
import { ClientRegistry } from "@/lib/testing/live/client-registry";
import { LogWriter, logOf } from "@/lib/testing/log-writer";
import { withBrowser, withPage } from "../../harness/browser";
import { type Corpus, sessionCorpus } from "../../harness/corpus";
import { formatMs } from "../../harness/format";
import type { Bench, Row, Section } from "../../harness/section";
import {
  type BenchServer,
  untilAnswer,
  untilListed,
  untilScanned,
  withDataDir,
  withServer,
} from "../../harness/server";
import { percentile } from "../../harness/statistics";

const BYTES = 1_000_000;
const BUDGET_MS = 80;
/** As many changes as a session of three minutes has that goes through everything a client can ask. */
const ROUNDS = 8;
const SUM_BUDGET_MS = 300;
const GAP_MS = 400;

/** What the client does next, and the word that the session's bar has for it then; "" where it has none. */
type Step = { act: () => void; word: string };

/** How long the page says something else than the client, after each change of what it does. */
export const states: Section = {
  name: "states",
  async run(bench) {
    const corpus = sessionCorpus(bench, { bytes: BYTES });
    const lateMs = await withBrowser((browser) =>
      withCopy(corpus, (dir) =>
        withDataDir((dataDir) =>
          withServer({ claudeDirs: [dir], dataDir }, async (server) => {
            await untilAnswer(server);
            await untilListed(server, 1);
            await untilScanned(server);
            return withPage(browser, (page) => measure(bench, page, server, dir, corpus.truth));
          }),
        ),
      ),
    );
    return rowsOf(lateMs);
  },
};

function rowsOf(lateMs: readonly number[]): Row[] {
  const p95 = percentile(lateMs, 0.95);
  const sumMs = lateMs.reduce((sum, late) => sum + late, 0);
  const row = { samples: lateMs.length, ratio: null };
  return [
    {
      ...row,
      label: "state of a client → visible, p95",
      budget: `≤ ${BUDGET_MS} ms`,
      measured: `${formatMs(p95)} (median ${formatMs(percentile(lateMs, 0.5))})`,
      ok: p95 <= BUDGET_MS,
    },
    {
      ...row,
      label: `  wrong in sum over ${lateMs.length} changes`,
      budget: `≤ ${SUM_BUDGET_MS} ms`,
      measured: formatMs(sumMs),
      ok: sumMs <= SUM_BUDGET_MS,
    },
  ];
}

async function withCopy<Result>(
  corpus: Corpus<SessionTruth>,
  work: (dir: string) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), "backscroll-bench-states-"));
  cpSync(corpus.dir, dir, { recursive: true });
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(
  bench: Bench,
  page: Page,
  server: BenchServer,
  dir: string,
  { id }: SessionTruth,
): Promise<number[]> {
  const client = new ClientRegistry(dir, id);
  const writer = new LogWriter(logOf(dir, id));
  client.tell("idle");
  await page.addInitScript(watchState);
  await page.goto(`${server.url}/sessions/${id}?follow=1#t=${server.token}`);
  await page.locator("main article[data-record-id]").first().waitFor();
  writer.say("All of it is done");
  await page.waitForTimeout(3000);
  const lateMs: number[] = [];
  for (let round = 0; round < (bench.quick ? 1 : ROUNDS); round++) {
    for (const { act, word } of roundOf(client, writer)) {
      const atMs = performance.timeOrigin + performance.now();
      act();
      lateMs.push((await whenSaid(page, word, atMs)) - atMs);
      await page.waitForTimeout(GAP_MS + (lateMs.length % 7) * 13);
    }
  }
  return lateMs;
}

/** A prompt, a command that asks for permission, a menu, an answer. */
function* roundOf(client: ClientRegistry, writer: LogWriter): Generator<Step> {
  let call = "";
  yield { act: () => client.tell("busy"), word: "Thinking" };
  yield { act: () => void (call = writer.call("Bash", { command: "npm test" })), word: "Running" };
  yield { act: () => client.tell("waiting", "permission prompt"), word: "Asks for permission" };
  yield { act: () => client.tell("busy"), word: "Running" };
  yield { act: () => writer.result(call, "12 passed"), word: "Thinking" };
  writer.say("All of it is done");
  yield { act: () => client.tell("waiting", "dialog open"), word: "Menu open" };
  yield { act: () => client.tell("idle"), word: "" };
}

/** When the bar first said this word after a moment, in milliseconds since 1970. */
async function whenSaid(page: Page, word: string, fromMs: number): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const said = await page.evaluate(() => window.backscrollStates ?? []);
    const last = said.at(-1);
    if (last && last.word === word && last.atMs >= fromMs) return last.atMs;
    await page.waitForTimeout(20);
  }
  throw new Error(`The page has not said "${word}" within ten seconds`);
}

declare global {
  interface Window {
    backscrollStates?: { word: string; atMs: number }[];
  }
}

/** Runs in the page, before its own scripts: notes the frame in which the state's word changes. */
function watchState(): void {
  const words = new Set(["Thinking", "Running", "Asks for permission", "Menu open"]);
  const seen: { word: string; atMs: number }[] = [];
  window.backscrollStates = seen;
  let last = "";
  const look = () => {
    const spans = [...document.querySelectorAll("header span")];
    const word = spans.map((span) => span.textContent ?? "").find((text) => words.has(text)) ?? "";
    if (word === last) return;
    last = word;
    requestAnimationFrame(() => seen.push({ word, atMs: performance.timeOrigin + performance.now() }));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}
