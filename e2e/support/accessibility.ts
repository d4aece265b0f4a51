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
  const found = await analyze(page, selector);
  return found.filter(({ isSerious }) => isSerious).map(({ text }) => text);
}

async function analyze(page: Page, selector?: string): Promise<{ text: string; isSerious: boolean }[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (selector !== undefined) axe.include(selector);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => ({
      text: `${id}: ${target.join(" ")} ${failureSummary}`,
      isSerious: impact === "serious" || impact === "critical",
    })),
  );
}
