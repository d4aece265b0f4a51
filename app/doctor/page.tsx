import type { Metadata } from "next";
import { DoctorPage } from "@/components/doctor/doctor-page";

export const metadata: Metadata = { title: "Diagnostics" };

export default function Page() {
  return <DoctorPage />;
}
