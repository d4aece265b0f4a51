import { vi } from "vitest";

/** Ends a wait for what never comes. */
const MAX_WAIT_MS = 60_000;

const { waitFor } = vi;

/** By itself it gives up after a second, which is not enough on a busy machine; `expect.poll` has a setting for that. */
const waitForLong: typeof waitFor = (check, options = {}) =>
  waitFor(check, { timeout: MAX_WAIT_MS, ...(typeof options === "number" ? { timeout: options } : options) });

// Test files that share their modules share this as well.
if (vi.waitFor.name !== waitForLong.name) vi.waitFor = waitForLong;
