import { WrapText } from "lucide-react";
import { IconButton } from "@/components/ui/button";

/** Has long lines of a text wrap, or run on again. */
export function WrapButton({ wrap, onWrap }: { wrap: boolean; onWrap: (wrap: boolean) => void }) {
  return (
    <IconButton
      icon={WrapText}
      small
      className="h-5"
      label={wrap ? "Unwrap lines" : "Wrap lines"}
      pressed={wrap}
      onClick={() => onWrap(!wrap)}
    />
  );
}
