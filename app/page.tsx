import { Library } from "@/components/library/library";

export default function LibraryPage() {
  return <Library />;
}
