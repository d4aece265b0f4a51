import type { Catalog } from "@/lib/server/library/catalog";
import { Doctor } from "./doctor";
import { startDoctorThread } from "./doctor-thread";

const doctors = new WeakMap<Catalog, Doctor>();

/** The doctor of a catalogue, made when it is first asked for. */
export function doctorOf(catalog: Catalog): Doctor {
  const known = doctors.get(catalog);
  if (known) return known;
  const doctor = new Doctor(catalog, startDoctorThread());
  doctors.set(catalog, doctor);
  return doctor;
}
