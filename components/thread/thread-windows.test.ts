import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApiError, UNREACHABLE } from "@/lib/client/connection/api-error";
import { type LoadedWindow, PAGE_ITEMS, ThreadWindows } from "./thread-windows";

/** A list of numbers, each its own index, behind a server that records what it is asked. */
function numbers(total: number) {
  const asked: number[] = [];
  const aborted: number[] = [];
  let revision = 1;
  let failing = false;
  const windows = new ThreadWindows<number>(async (from, count, signal) => {
    asked.push(from);
    signal.addEventListener("abort", () => aborted.push(from));
    await new Promise((resolve) => setTimeout(resolve, 2));
    signal.throwIfAborted();
    if (failing) throw new Error("no answer");
    return windowOf(from, count);
  });
  const windowOf = (from: number, count: number): LoadedWindow<number> => {
    const items = Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, i) => from + i);
    return { revision, total, from, items };
  };
  windows.accept(windowOf(0, PAGE_ITEMS));
  return {
    windows,
    asked,
    aborted,
    windowOf,
    change: (next: { revision?: number; total?: number; failing?: boolean }) => {
      revision = next.revision ?? revision;
      total = next.total ?? total;
      failing = next.failing ?? failing;
    },
  };
}

describe("a long list in windows", () => {
  it("holds the pages around what is looked at, however far it goes", async () => {
    const { windows } = numbers(100_000);
    for (let first = 0; first < 100_000; first += 1_000) await windows.ensure(first, first + 60);
    expect(windows.itemAt(99_010)).toBe(99_010);
    expect(windows.itemAt(0)).toBeUndefined();
    expect(windows.getSnapshot().loaded).toBeLessThanOrEqual(17 * PAGE_ITEMS);
    await windows.ensure(0, 60);
    expect(windows.itemAt(30)).toBe(30);
  });

  it("asks for each page once, and for none that is there", async () => {
    const { windows, asked } = numbers(1_000);
    windows.want(100, 150);
    windows.want(101, 151);
    await windows.ensure(100, 150);
    await windows.ensure(0, 150);
    expect(asked).toEqual([80]);
  });

  it("cancels what has been scrolled past", async () => {
    const { windows, aborted } = numbers(10_000);
    windows.want(800, 820);
    await windows.ensure(8_000, 8_020);
    expect(aborted).toEqual([800]);
    expect(windows.itemAt(810)).toBeUndefined();
  });

  it("takes a window from anywhere and fills the page around it", async () => {
    const { windows, windowOf, asked } = numbers(10_000);
    windows.accept(windowOf(5_001, 70));
    expect(windows.itemAt(5_040)).toBe(5_040);
    await windows.ensure(5_010, 5_060);
    expect(asked).toEqual([]);
    await windows.ensure(4_990, 5_060);
    expect(windows.itemAt(4_990)).toBe(4_990);
  });

  it("keeps rows of an older revision until they are looked at, and then renews them", async () => {
    const { windows, change, asked } = numbers(1_000);
    change({ revision: 2, total: 1_001 });
    await windows.ensure(160, 170);
    expect(windows.itemAt(10)).toBe(10);
    expect(windows.getSnapshot()).toMatchObject({ revision: 2, total: 1_001, loaded: 160 });
    windows.renew();
    await windows.ensure(0, 20);
    windows.renew();
    expect(asked).toEqual([160, 160, 0]);
    windows.dispose();
  });

  it("renews no last page, which is no whole one, of which all that is left of the list has come", async () => {
    const { windows, change, asked, windowOf } = numbers(100);
    await windows.ensure(80, 99);
    windows.want(60, 100);
    change({ revision: 2, total: 101 });
    windows.accept(windowOf(PAGE_ITEMS, 21));
    windows.retry();
    expect(asked).toEqual([80, 0]);
    windows.dispose();
  });

  it("asks again where it was to be renewed while an answer was on its way: that may be of before", async () => {
    const answers: ((items: string[]) => void)[] = [];
    const windows = new ThreadWindows<string>(async () => {
      const items = await new Promise<string[]>((resolve) => answers.push(resolve));
      return { revision: 1, total: 1, from: 0, items };
    });
    windows.accept({ revision: 1, total: 1, from: 0, items: ["runs"] });
    windows.want(0, 1);
    windows.renew();
    // The session asks something meanwhile, which changes no revision.
    windows.renew();
    expect(answers).toHaveLength(1);
    answers[0]?.(["runs"]);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(["asks"]);
    await vi.waitFor(() => expect(windows.itemAt(0)).toBe("asks"));
    expect(answers).toHaveLength(2);
    windows.dispose();
  });

  it("drops everything when the list has become shorter", async () => {
    const { windows, change } = numbers(1_000);
    change({ revision: 2, total: 900 });
    await windows.ensure(160, 170);
    expect(windows.itemAt(10)).toBeUndefined();
    expect(windows.getSnapshot()).toMatchObject({ revision: 2, total: 900, loaded: 80 });
  });

  it("takes rows as they are written, and nothing twice", async () => {
    const { windows, change, asked } = numbers(1_000);
    await windows.ensure(960, 999);
    change({ revision: 3, total: 1_002 });
    const written = {
      since: 1,
      revision: 3,
      total: 1_002,
      stable: 1_000,
      items: [
        [1_000, 1_000],
        [1_001, 1_001],
      ],
    } as const;
    expect(windows.advance(written)).toBe(true);
    expect(windows.advance(written)).toBe(true);
    expect([windows.itemAt(999), windows.itemAt(1_001), windows.itemAt(10)]).toEqual([999, 1_001, 10]);
    expect(windows.getSnapshot()).toMatchObject({ total: 1_002, revision: 3 });
    expect(asked).toEqual([960]);
    windows.dispose();
  });

  it("drops what is no longer there from the first row that differs", () => {
    const { windows } = numbers(60);
    windows.advance({ since: 1, revision: 2, total: 50, stable: 40, items: [[41, 7]] });
    expect([windows.itemAt(39), windows.itemAt(40), windows.itemAt(41)]).toEqual([39, undefined, 7]);
    windows.dispose();
  });

  it("says when something is missing before what was written", () => {
    const { windows } = numbers(60);
    expect(windows.advance({ since: 4, revision: 5, total: 70, stable: 60, items: [] })).toBe(false);
    expect(windows.getSnapshot().total).toBe(60);
  });

  it("goes on with a server that counts revisions anew, and blanks nothing meanwhile", async () => {
    const { windows, change } = numbers(60);
    windows.advance({ since: 1, revision: 40, total: 60, stable: 60, items: [] });
    change({ revision: 1, total: 61 });
    windows.restart();
    expect(windows.itemAt(59)).toBe(59);
    windows.want(0, 60);
    await expect.poll(() => windows.getSnapshot()).toMatchObject({ revision: 1, total: 61 });
    expect(windows.advance({ since: 1, revision: 2, total: 62, stable: 61, items: [[61, 61]] })).toBe(true);
    expect(windows.itemAt(61)).toBe(61);
    windows.dispose();
  });

  it("keeps its rows where answers are overtaken again and again by what is written", () => {
    const { windows, change, windowOf } = numbers(60);
    for (let revision = 2; revision < 8; revision++) {
      windows.advance({ since: revision - 1, revision, total: 60 + revision, stable: 60, items: [] });
      change({ revision: revision - 1, total: 59 + revision });
      windows.accept(windowOf(60, PAGE_ITEMS));
      expect([windows.itemAt(0), windows.getSnapshot().revision]).toEqual([0, revision]);
    }
    windows.dispose();
  });

  it("takes answers of an earlier revision when three of them come in a row", () => {
    const { windows, change, windowOf } = numbers(100);
    change({ revision: 5 });
    windows.accept(windowOf(0, PAGE_ITEMS));
    change({ revision: 2 });
    const seen = Array.from({ length: 3 }, () => {
      windows.accept(windowOf(0, PAGE_ITEMS));
      return windows.getSnapshot().revision;
    });
    expect(seen).toEqual([5, 5, 2]);
    windows.dispose();
  });

  it("asks again for what a server did not answer once that is back", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
    vi.stubGlobal("fetch", async () => Response.json({}));
    let isDown = true;
    const windows = new ThreadWindows<number>(async (from) => {
      if (isDown) throw new ApiError(0, UNREACHABLE);
      return { revision: 1, total: 1, from, items: [7] };
    });
    windows.begin();
    await vi.advanceTimersByTimeAsync(10);
    expect(windows.getSnapshot().error?.message).toBe("Backscroll does not answer.");
    isDown = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(windows.getSnapshot().error).toBeNull();
    expect(windows.itemAt(0)).toBe(7);
    windows.dispose();
  });

  it("takes nothing that was asked for before the log became another one", async () => {
    const answers: ((window: LoadedWindow<number>) => void)[] = [];
    const windows = new ThreadWindows<number>(() => new Promise((resolve) => answers.push(resolve)));
    windows.accept({ revision: 7, total: 2, from: 0, items: [1, 2] });
    windows.want(0, 1);
    windows.renew();
    windows.reset();
    expect(answers).toHaveLength(2);
    answers[1]?.({ revision: 8, total: 3, from: 0, items: [4, 5, 6] });
    answers[0]?.({ revision: 7, total: 2, from: 0, items: [1, 2] });
    await expect.poll(() => windows.itemAt(0)).toBe(4);
    expect(windows.getSnapshot()).toMatchObject({ revision: 8, total: 3 });
    windows.renew();
    windows.reset();
    answers[2]?.({ revision: 8, total: 3, from: 0, items: [4, 5, 6] });
    await Promise.resolve();
    expect(windows.itemAt(0)).toBeUndefined();
    windows.dispose();
  });

  it("asks for an empty list again when it is renewed or is another one, and no more often than that", async () => {
    let total = 0;
    let asked = 0;
    const windows = new ThreadWindows<number>(async () => {
      asked += 1;
      return { revision: 2, total, from: 0, items: Array.from({ length: total }, (_, at) => at) };
    });
    windows.accept({ revision: 1, total: 0, from: 0, items: [] });
    windows.want(0, 20);
    windows.reset();
    windows.want(0, 20);
    await expect.poll(() => windows.getSnapshot().revision).toBe(2);
    windows.want(0, 20);
    expect([asked, windows.getSnapshot().total]).toEqual([1, 0]);
    total = 1;
    // What was written while the stream was not there.
    windows.renew();
    await expect.poll(() => windows.itemAt(0)).toBe(0);
    expect([asked, windows.getSnapshot().total]).toEqual([2, 1]);
    windows.dispose();
  });

  it("asks again where an answer never comes, of the first page and of any other", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked: number[] = [];
    const windows = new ThreadWindows<number>(async (from, _count, signal) => {
      asked.push(from);
      const isLost = asked.filter((one) => one === from).length === 1;
      if (isLost) await new Promise((_, reject) => (signal.onabort = () => reject(signal.reason)));
      return { revision: 1, total: 200, from, items: [from] };
    });
    windows.begin();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, windows.itemAt(0)]).toEqual([[0, 0], 0]);
    windows.want(PAGE_ITEMS, PAGE_ITEMS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([asked, windows.itemAt(PAGE_ITEMS)]).toEqual([[0, 0, PAGE_ITEMS, PAGE_ITEMS], PAGE_ITEMS]);
    expect(windows.getSnapshot().error).toBeNull();
  });

  it("keeps a failure until told to try again", async () => {
    const { windows, change } = numbers(1_000);
    change({ failing: true });
    await windows.ensure(160, 170);
    expect(windows.getSnapshot().error?.message).toBe("no answer");
    change({ failing: false });
    windows.retry();
    await windows.ensure(160, 170);
    expect(windows.getSnapshot().error).toBeNull();
    expect(windows.itemAt(165)).toBe(165);
  });

  it("asks again for what was not there when it is renewed: the first page of a list that is begun just now", async () => {
    let answers = false;
    const windows = new ThreadWindows<number>(async () => {
      if (!answers) throw new Error("not there yet");
      return { revision: 1, total: 1, from: 0, items: [7] };
    });
    windows.begin();
    await expect.poll(() => windows.getSnapshot().error?.message).toBe("not there yet");
    answers = true;
    windows.renew();
    await expect.poll(() => windows.itemAt(0)).toBe(7);
    expect(windows.getSnapshot()).toMatchObject({ total: 1, error: null });
  });
});
