import { useRouter } from "next/navigation";
import { afterWrites } from "./address-writes";

/**
 * Opens a page, behind what is still to be written to the address of this one: a write to an address
 * ends a navigation that is under way.
 */
export function useOpenPage(): (href: string) => void {
  const router = useRouter();
  return (href) => afterWrites(() => router.push(href));
}
