import type { DoctorReport } from "@/lib/wire/doctor";
import { Catalog } from "../catalog/catalog";
import { Doctor } from "../doctor/doctor";
import { examine } from "../doctor/examine";
import { fixtureFolder } from "./fixture-lines.fixture";

/** What the doctor says of a fixture. */
export async function examineFixture(name: string): Promise<DoctorReport> {
  const catalog = new Catalog([{ path: fixtureFolder(name), kind: "config" }]);
  await catalog.list();
  return new Doctor(catalog, examine).whole(null);
}
