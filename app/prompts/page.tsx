import type { Metadata } from "next";
import { PromptsPage } from "@/components/prompts/prompts-page";

export const metadata: Metadata = { title: "Your prompts" };

export default function Page() {
  return <PromptsPage />;
}
