import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

const files = ["app", "bench", "bin", "components", "e2e", "lib"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith("lib/testing/fixtures/")),
);

/** A member or a constructor's parameter that only types keep from others. A constructor has no other word for it. */
const BY_TYPE =
  /^\s*(?:constructor\(|[^"]*, )?(?:(?:static|override|abstract|async|readonly) )*private (?!constructor\b)(?:(?:static|override|abstract|async|readonly|get|set) )*[*#\w[]+(?:[?!]?[:;,()<=\s]|$)/;

function byTypeIn(text: string): string[] {
  return text.split("\n").filter((line) => BY_TYPE.test(line));
}

it("what is a class's own is written with #", () => {
  expect(files.length).toBeGreaterThan(1_500);
  const own = files.filter((file) =>
    /^ {2,}(?:readonly )?#\w+/m.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(own.length).toBeGreaterThan(150);
  const found = files.flatMap((file) =>
    byTypeIn(readFileSync(join(ROOT, file), "utf8")).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

it("a private member is found however it is written", () => {
  const written = [
    "  private timer: Timer | null = null;",
    "  private readonly store;",
    "  private count = 0;",
    "  private async ask(standing: Standing): Promise<void> {",
    "  private static of(text: string): Walk {",
    "  static private of<T>(text: T): Walk {",
    "  private get page(): Page {",
    "  constructor(private readonly core: ThreadCore) {}",
    "    private url: ThreadUrl,",
    "  constructor(readonly thread: Thread, private address: Address) {",
  ];
  const others = [
    "  private constructor(store: ObjectStore) {",
    "  // private key: see there",
    '  { rule: "private", of: 1 },',
    "  readonly #store;",
    "   * private fields are",
  ];
  expect(byTypeIn([...others, ...written].join("\n"))).toEqual(written);
});
