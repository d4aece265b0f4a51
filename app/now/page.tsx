import type { Metadata } from "next";
import { NowBoard } from "@/components/now/now-board";

/** The page has its own, which says who waits. */
export const metadata: Metadata = { title: null };

export default function NowPage() {
  return <NowBoard />;
}
