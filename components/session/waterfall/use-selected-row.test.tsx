// @vitest-environment page
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useSelectedRow } from "./use-selected-row";
import type { WaterfallRow } from "./waterfall-model";

vi.mock("../session-store", () => ({
  useSessionPage: () => ({ url: { step: null, at: null }, setUrl: () => undefined }),
}));

const turns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: "turn", key: `t${index}` }) as WaterfallRow);

function Selected({ rows, isAtWork }: { rows: readonly WaterfallRow[]; isAtWork: boolean }) {
  const [selected] = useSelectedRow(rows, isAtWork);
  return <output>{rows[selected]?.key}</output>;
}

it("the turn that a running session is opened at stays selected when another begins and when the work ends", async () => {
  const page = drawnPage();
  const shown = () => document.querySelector("output")?.textContent;
  await page.draw(<Selected rows={turns(3)} isAtWork />);
  expect(shown()).toBe("t2");
  await page.draw(<Selected rows={turns(4)} isAtWork />);
  expect(shown()).toBe("t2");
  await page.draw(<Selected rows={turns(4)} isAtWork={false} />);
  expect(shown()).toBe("t2");
});

it("a session that rests is opened at its first turn, and keeps that when it goes on", async () => {
  const page = drawnPage();
  await page.draw(<Selected rows={turns(3)} isAtWork={false} />);
  await page.draw(<Selected rows={turns(4)} isAtWork />);
  expect(document.querySelector("output")?.textContent).toBe("t0");
});
