import { SearchPage } from "@/components/search/search-page";

export default function Page() {
  return <SearchPage />;
}
