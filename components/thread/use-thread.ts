import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { WrittenRows } from "@/components/live/live-seen";
import type { ThreadChoice } from "@/lib/client/address/session-url";
import { api } from "@/lib/client/api";
import { coalesced, throttled } from "@/lib/client/throttle";
import type { Row } from "@/lib/wire/rows";
import type { ErrorsResponse } from "@/lib/wire/session";
import { threadQuery } from "./open-thread";
import type { ThreadState, ThreadStoreOptions } from "./store/thread-core";
import type { Opening } from "./store/thread-opening";
import type { ThreadPosition } from "./thread-position";
import { createThreadStore, type ThreadStore } from "./thread-store";
import type { ThreadWindows } from "./thread-windows";

/** The store of the thread around: the page's, or inside a pane the pane's. */
export const ThreadStoreContext = createContext<ThreadStore | null>(null);

/** The store of the thread around. Throws outside of one. */
export function useThreadStore(): ThreadStore {
  const store = useContext(ThreadStoreContext);
  if (!store) throw new Error("There is no thread around.");
  return store;
}

/** What `select` makes of the thread's state; draws again when that is another value. */
export function useThreadState<Value>(store: ThreadStore, select: (state: ThreadState) => Value): Value {
  const read = () => select(store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}

/** Where the reader is in the thread around. It changes with every scrolled row: ask for what is shown, no more. */
export function usePosition<Value extends string | number | boolean | null>(
  select: (position: ThreadPosition) => Value,
): Value {
  return useThreadState(useThreadStore(), ({ position }) => select(position));
}

const SOON_MS = 100;

/**
 * As `usePosition`, for what need not keep up with a scroll, as the outline: soon after the reader has moved, and
 * while they go on moving at most every `everyMs`.
 */
export function useSlowPosition<Value extends string | number | boolean | null>(
  select: (position: ThreadPosition) => Value,
  everyMs: number,
): Value {
  const store = useThreadStore();
  const [value, setValue] = useState(() => select(store.get().position));
  const read = useEffectEvent(() => setValue(select(store.get().position)));
  useEffect(() => {
    const following = coalesced(read, SOON_MS, everyMs);
    read();
    const unsubscribe = store.subscribe(following.ask);
    return () => {
      unsubscribe();
      following.stop();
    };
  }, [store, everyMs]);
  return value;
}

/** A thread's store for as long as the component is there. The newest `address` and `onElsewhere` are called. */
export function useCreatedThread(options: ThreadStoreOptions): ThreadStore {
  const newest = useRef(options);
  useLayoutEffect(() => {
    newest.current = options;
  });
  const [store] = useState(() =>
    createThreadStore({
      ...options,
      address: {
        get: () => newest.current.address.get(),
        set: (change) => newest.current.address.set(change),
      },
      onElsewhere: options.onElsewhere && ((where, id) => newest.current.onElsewhere?.(where, id)),
    }),
  );
  return store;
}

/** Has the store show the chosen thread: another one when the choice changes, and the same after a retry. */
export function useShownThread(store: ThreadStore, choice: ThreadChoice, opening: Opening): void {
  const attempt = useThreadState(store, (state) => state.attempt);
  const show = useEffectEvent(() => store.show(choice, opening));
  useEffect(() => show(), [store, choice.key, attempt]);
  useEffect(() => () => store.dispose(), [store]);
}

/** When the rows of a thread were written, for who notes what of it was seen. */
export function useWrittenRows(windows: ThreadWindows<Row> | null): WrittenRows | null {
  return useMemo(
    () =>
      windows && {
        newestMs: () => windows.itemAt((windows.getSnapshot().total ?? 0) - 1)?.atMs ?? null,
        subscribe: windows.subscribe,
      },
    [windows],
  );
}

/** A number, not a row: it may come after what it counts. */
const ERRORS_PAUSE_MS = 1_000;

/** Where the errors of the thread around are, renewed as its rows change; `null` until that is known. */
export function useThreadErrors(): ErrorsResponse | null {
  const store = useThreadStore();
  const thread = useThreadState(store, (state) => state.thread);
  const { data, refetch } = useQuery({
    queryKey: ["thread-errors", store.sessionId, thread?.choice.key],
    queryFn: ({ signal }) => api.errors(store.sessionId, threadQuery(thread), { signal }),
    enabled: thread !== null,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  useLiveRefetch(thread?.windows ?? null, refetch, true, ERRORS_PAUSE_MS);
  return data ?? null;
}

/** Answers of rows that are written one by one come before the next; of those that pour in not each is waited for. */
const MIN_PAUSE_MS = 50;
/** So many times as long as an answer took: two thirds of the time the server does other things. */
const REST = 2;

/**
 * Asks for a picture of a thread again whenever its rows have changed: at once after a rest, and while rows
 * pour in as often as answers come. One that is not `shown` is asked for when it is again.
 * @param pauseMs between two askings at least
 */
export function useLiveRefetch(
  windows: ThreadWindows<unknown> | null,
  refetch: () => Promise<unknown>,
  shown = true,
  pauseMs = MIN_PAUSE_MS,
): void {
  const ask = useEffectEvent(refetch);
  /** The revision that was asked for last, of these windows. */
  const known = useRef<{ of: typeof windows; revision: number }>({ of: null, revision: 0 });
  useEffect(() => {
    if (!windows) return;
    if (known.current.of !== windows)
      known.current = { of: windows, revision: windows.getSnapshot().revision };
    if (!shown) return;
    const renew = throttled(pauseMs, () => ask(), REST);
    const look = () => {
      const { revision } = windows.getSnapshot();
      if (revision === known.current.revision) return;
      known.current.revision = revision;
      renew();
    };
    look();
    return windows.subscribe(look);
  }, [windows, shown, pauseMs]);
}
