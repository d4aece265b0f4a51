import type { Metadata } from "next";
import { SearchPage } from "@/components/search/search-page";

type Asked = { searchParams: Promise<{ q?: string | string[] }> };

/** The query that the address names; the page keeps the title when another one is typed. */
export async function generateMetadata({ searchParams }: Asked): Promise<Metadata> {
  const { q } = await searchParams;
  return { title: { absolute: `${typeof q === "string" && q !== "" ? q : "Search"} · Backscroll` } };
}

export default function Page() {
  return <SearchPage />;
}
