import { Doctor } from "@/lib/server/doctor/doctor";
import { examine } from "@/lib/server/doctor/examine";
import { Catalog } from "@/lib/server/library/catalog";
import type { DoctorReport } from "@/lib/wire/doctor";
import { fixtureFolder } from "../fixture-folder";

/** What the doctor says of a fixture. */
export async function examineFixture(name: string): Promise<DoctorReport> {
  const catalog = new Catalog([{ path: fixtureFolder(name), kind: "config" }]);
  await catalog.list();
  return new Doctor(catalog, examine).whole(null);
}
