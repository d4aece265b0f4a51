import { vi } from "vitest";

// For each test file that shares its process with others: a page of its own, whose modules begin anew.
vi.resetModules();
await globalThis.openPage?.();
