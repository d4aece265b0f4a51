import { DoctorPage } from "@/components/doctor/doctor-page";

export default function Page() {
  return <DoctorPage />;
}
