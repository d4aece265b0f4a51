// @vitest-environment page
import { act, Component, type ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { drawnPage } from "@/lib/testing/drawn-page";
import { loadWhenIdle, PagePart, usePagePart } from "./page-part";

const missing = () => Object.assign(new Error("Failed to load chunk"), { name: "ChunkLoadError" });

/** A part whose import ends with each of these in turn. */
function partOf(...ends: (string | Error)[]) {
  const fetchCode = vi.fn(async () => {
    const end = ends.shift();
    if (end === undefined || end instanceof Error) throw end;
    return end;
  });
  return { part: new PagePart(fetchCode), fetchCode };
}

function Place({ part, wanted }: { part: PagePart<string>; wanted: boolean }) {
  const { code, failed, retry } = usePagePart(part, wanted);
  if (!failed) return code ?? "…";
  return (
    <button type="button" onClick={retry}>
      failed
    </button>
  );
}

const text = () => document.body.textContent;

it("a part is imported once, however often it is asked for", async () => {
  const { part, fetchCode } = partOf("code");
  expect(part.get()).toBeNull();
  expect(await Promise.all([part.load(), part.load()])).toEqual(["code", "code"]);
  expect([await part.load(), part.get()]).toEqual(["code", "code"]);
  expect(fetchCode).toHaveBeenCalledTimes(1);
});

it("is drawn in the same step where it is there, and asked for when it is wanted", async () => {
  const { part, fetchCode } = partOf("code");
  const page = drawnPage();
  await page.draw(<Place part={part} wanted={false} />);
  expect([text(), fetchCode.mock.calls.length]).toEqual(["…", 0]);
  await page.draw(<Place part={part} wanted />);
  await act(() => part.load());
  expect(text()).toBe("code");
  page.leave();
  const other = drawnPage();
  // Nothing is awaited before it is looked at.
  const drawing = other.draw(<Place part={part} wanted />);
  await drawing;
  expect(text()).toBe("code");
});

it("what did not come is said, and imported again when it is asked for again", async () => {
  const { part, fetchCode } = partOf(missing(), missing(), "code");
  await drawnPage().draw(<Place part={part} wanted />);
  expect(text()).toBe("failed");
  const again = () => act(async () => document.querySelector("button")?.click());
  await again();
  expect(text()).toBe("failed");
  await again();
  expect([text(), fetchCode.mock.calls.length]).toEqual(["code", 3]);
});

it("what is said of a part that did not come stays, with its focused button, until the part is there", async () => {
  let arrive: (code: string) => void = () => undefined;
  const arriving = new Promise<string>((resolve) => {
    arrive = resolve;
  });
  const imports = [() => Promise.reject(missing()), () => arriving];
  const part = new PagePart(() => imports.shift()?.() ?? arriving);
  await drawnPage().draw(<Place part={part} wanted />);
  const button = document.querySelector("button");
  button?.focus();
  await act(async () => button?.click());
  expect([text(), document.activeElement]).toEqual(["failed", button]);
  await act(async () => arrive("code"));
  expect(text()).toBe("code");
});

it("what was not loaded while idle is loaded when it is wanted, and nothing is said before", async () => {
  const { part, fetchCode } = partOf(missing(), "code");
  const page = drawnPage();
  await page.draw(<Place part={part} wanted={false} />);
  await expect(part.load()).rejects.toThrow("Failed to load chunk");
  expect(text()).toBe("…");
  await page.draw(<Place part={part} wanted />);
  expect([text(), fetchCode.mock.calls.length]).toEqual(["code", 2]);
});

it("a fault in its own code is a bug, and throws", async () => {
  class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
    override state: { message?: string } = {};
    static getDerivedStateFromError = ({ message }: Error) => ({ message });
    override render() {
      return this.state.message ?? this.props.children;
    }
  }
  const { part } = partOf(new TypeError("x is undefined"));
  const page = drawnPage();
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await page.draw(
    <Boundary>
      <Place part={part} wanted />
    </Boundary>,
  );
  expect(text()).toBe("x is undefined");
  expect(reported).toHaveBeenCalled();
});

it("parts are loaded one after another while the page is idle, none behind one that did not come, and none once ended", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const [first, second, third] = [partOf("one"), partOf(missing()), partOf("three")];
    loadWhenIdle([first.part, second.part, third.part]);
    expect(first.fetchCode).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    const calls = [first, second, third].map(({ fetchCode }) => fetchCode.mock.calls.length);
    expect(calls).toEqual([1, 1, 0]);
    loadWhenIdle([third.part])();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(third.fetchCode).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
