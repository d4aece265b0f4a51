import type { Metadata } from "next";
import { FileSessionsPage } from "@/components/files/file-sessions-page";

export const metadata: Metadata = { title: "Sessions of a file" };

export default function Page() {
  return <FileSessionsPage />;
}
