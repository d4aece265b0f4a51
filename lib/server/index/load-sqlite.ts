import { createRequire } from "node:module";
import { join } from "node:path";

type Value = null | number | bigint | string | Uint8Array;

export type Statement = {
  run(...values: Value[]): unknown;
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  iterate(...values: Value[]): IterableIterator<unknown>;
};

/** As much of `node:sqlite` as is used here; both drivers have it. */
export type Database = { exec(sql: string): void; prepare(sql: string): Statement; close(): void };

type Driver = { DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => Database };

/**
 * Opens a database with the SQLite of this Node, or where it has none with the package's. The package
 * is never imported: it holds binaries, which a bundler cannot move. Throws if there is neither.
 */
export function openDatabase(path: string, options: { readOnly?: boolean } = {}): Database {
  return new (loadDriver().DatabaseSync)(path, options);
}

function loadDriver(): Driver {
  const builtin = withoutWarning(() =>
    (process as { getBuiltinModule?: (name: string) => unknown }).getBuiltinModule?.("node:sqlite"),
  );
  if (builtin) return builtin as Driver;
  const root = process.env.BACKSCROLL_PACKAGE_ROOT ?? process.cwd();
  const load = createRequire(join(root, "package.json"));
  return load("@photostructure/sqlite") as Driver;
}

/** Node 22 warns once that its SQLite is experimental. What is used of it here has stood still since it came. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
