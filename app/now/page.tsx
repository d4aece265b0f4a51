import type { Metadata } from "next";
import { NowBoard } from "@/components/now/now-board";

export const metadata: Metadata = { title: "Running" };

export default function NowPage() {
  return <NowBoard />;
}
