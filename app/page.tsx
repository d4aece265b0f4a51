import { LibraryView } from "@/components/library/library";

export default function LibraryPage() {
  return <LibraryView />;
}
