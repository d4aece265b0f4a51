// @vitest-environment page
import { useRef } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { useFocusedLink, useKeptFocus } from "./main-focus";

function Page({ shown, beside = null }: { shown: string; beside?: "in use" | "covered" | null }) {
  const part = useRef<HTMLElement>(null);
  useKeptFocus(shown, () => part.current);
  return (
    <>
      <main>
        <article aria-posinset={1} aria-setsize={1} tabIndex={0}>
          A row
        </article>
      </main>
      {beside && (
        <div inert={beside === "covered"}>
          <section ref={part}>An agent’s thread</section>
        </div>
      )}
    </>
  );
}

it("the focus that was lost goes to the selected row, but not where the reader does not see it", async () => {
  const page = drawnPage();
  const focused = () => document.activeElement?.tagName;
  await page.draw(<Page shown="graph" />);
  await page.draw(<Page shown="thread" />);
  expect(focused()).toBe("ARTICLE");
  (document.activeElement as HTMLElement).blur();
  const place = vi.spyOn(Element.prototype, "getBoundingClientRect");
  place.mockReturnValue({ top: 2148, bottom: 2172 } as DOMRect);
  await page.draw(<Page shown="graph" />);
  expect(focused()).toBe("MAIN");
  place.mockRestore();
});

it("what was lost by a reader of a part beside goes there, but not where that is covered", async () => {
  const page = drawnPage();
  await page.draw(<Page shown="graph" beside="covered" />);
  await page.draw(<Page shown="changes" beside="covered" />);
  expect(document.activeElement?.tagName).toBe("ARTICLE");
  (document.activeElement as HTMLElement).blur();
  await page.draw(<Page shown="thread" beside="in use" />);
  expect(document.activeElement?.tagName).toBe("SECTION");
});

function Found({ isFound }: { isFound: boolean }) {
  const link = useFocusedLink(isFound);
  return (
    <>
      <input />
      <a ref={link} href="#hit">
        A hit
      </a>
    </>
  );
}

it("a row that comes late takes the focus, but not from who types", async () => {
  const page = drawnPage();
  await page.draw(<Found isFound={false} />);
  await page.draw(<Found isFound />);
  expect(document.activeElement?.tagName).toBe("A");
  await page.draw(<Found isFound={false} />);
  document.querySelector("input")?.focus();
  await page.draw(<Found isFound />);
  expect(document.activeElement?.tagName).toBe("INPUT");
});
