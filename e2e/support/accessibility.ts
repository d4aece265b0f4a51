import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * What axe finds wrong with a page, or with what matches a selector there, as text. It runs in the page itself and lists
 * nothing that is well: to describe each element that passes, and to carry that to a page of its own, takes longer than
 * to look.
 */
export async function violationsIn(page: Page, selector?: string): Promise<string[]> {
  return (await analyze(page, selector)).map(({ text }) => text);
}

/** Of these, what axe rates serious or critical. */
export async function seriousViolationsIn(page: Page, selector?: string): Promise<string[]> {
  return serious(await analyze(page, selector));
}

/**
 * Of a page that was looked at before, at another width: what axe rates serious or critical and does not depend on
 * colours, which are the same at every width. To compare them is most of its work.
 */
export async function seriousViolationsAtOtherWidth(page: Page): Promise<string[]> {
  return serious(await analyze(page, undefined, { without: COLOUR_RULES }));
}

/** What axe finds wrong with a page in dark, and with its colours in light, each with its scheme. It stays in light. */
export async function violationsInBothSchemes(page: Page): Promise<string[]> {
  return (await analyzeInBothSchemes(page)).map(({ text }) => text);
}

/** Of these, what axe rates serious or critical. */
export async function seriousViolationsInBothSchemes(page: Page): Promise<string[]> {
  return serious(await analyzeInBothSchemes(page));
}

async function analyzeInBothSchemes(page: Page): Promise<Finding[]> {
  await showIn(page, "dark");
  const inDark = await analyze(page);
  await showIn(page, "light");
  const inLight = await analyze(page, undefined, { only: COLOUR_RULES });
  const named = (scheme: string) => (found: Finding) => ({ ...found, text: `${scheme}: ${found.text}` });
  return [...inDark.map(named("dark")), ...inLight.map(named("light"))];
}

/** Rules whose answer depends on the scheme: all else is the same in both. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Changes the scheme, and waits until no colour is on its way from one to the other. */
async function showIn(page: Page, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

type Finding = { text: string; isSerious: boolean };

const serious = (found: readonly Finding[]) =>
  found.filter(({ isSerious }) => isSerious).map(({ text }) => text);

const packageOf = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"));

/** Axe is more to read than the page is: a document gets it once, and in its short form. */
async function addAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => "axe" in window)) return;
  await page.evaluate(readFileSync(packageOf.resolve("axe-core/axe.min.js"), "utf8"));
}

/** What the builder would add at each run in place of it, twice. */
const NOTHING_MORE = "undefined";

/** @param rules by name; otherwise all */
async function analyze(
  page: Page,
  selector?: string,
  rules: { only?: string[]; without?: string[] } = {},
): Promise<Finding[]> {
  await addAxe(page);
  const axe = new AxeBuilder({ page, axeSource: NOTHING_MORE })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] });
  if (rules.only) axe.withRules(rules.only);
  if (rules.without) axe.disableRules(rules.without);
  if (selector !== undefined) axe.include(selector);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => ({
      text: `${id}: ${target.join(" ")} ${failureSummary}`,
      isSerious: impact === "serious" || impact === "critical",
    })),
  );
}
