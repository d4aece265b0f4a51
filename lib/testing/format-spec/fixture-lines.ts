import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asArray, asObject, asString, type JsonObject } from "@/lib/log/records/json";
import { Doctor } from "@/lib/server/doctor/doctor";
import { examine } from "@/lib/server/doctor/examine";
import { Catalog } from "@/lib/server/library/catalog";
import type { DoctorReport } from "@/lib/wire/doctor";
import { fixtureFolder } from "../recorded";

export type FixtureLine = { file: string; line: number; json: JsonObject };

/** Every line of every log of a fixture, in file order: what the client wrote, before any reading of ours. */
export function linesOf(fixture: string): FixtureLine[] {
  const folder = fixtureFolder(fixture);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return files.sort().flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((text) => text !== "")
      .map((text, index) => ({ file, line: index + 1, json: JSON.parse(text) as JsonObject })),
  );
}

/** The content blocks of a line. A string has none. */
export function blocksOf({ json }: FixtureLine): JsonObject[] {
  return asArray(asObject(json.message)?.content)
    .map(asObject)
    .filter((block) => block !== null);
}

/** What a field holds, by name of its type. */
export function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

/** The type of a line. */
export function typeOf({ json }: FixtureLine): string {
  return asString(json.type) ?? "";
}

/** What the doctor says of a fixture. */
export async function examineFixture(name: string): Promise<DoctorReport> {
  const catalog = new Catalog([{ path: fixtureFolder(name), kind: "config" }]);
  await catalog.list();
  return new Doctor(catalog, examine).whole(null);
}
