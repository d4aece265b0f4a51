import { X } from "lucide-react";
import { Icon } from "@/components/ui/icon";

/** A failed command's mark, with its word for a screen reader. */
export function FailedMark() {
  return (
    <span className="inline-flex flex-none text-err">
      <Icon of={X} small />
      <span className="sr-only">failed</span>
    </span>
  );
}
