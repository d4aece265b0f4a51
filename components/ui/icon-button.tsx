import type { LucideIcon } from "lucide-react";
import { cx } from "@/lib/client/class-names";
import { Button, type ButtonProps } from "./button";
import { Icon } from "./icon";
import { Tooltip } from "./tooltip";

/** A button that is only an icon. `label` names it, in the tooltip too; `keys` shows its key there. */
export function IconButton({
  icon,
  label,
  keys,
  small,
  className,
  kind = "quiet",
  ...rest
}: ButtonProps & { icon: LucideIcon; label: string; keys?: string; small?: boolean }) {
  return (
    <Tooltip text={label} keys={keys}>
      <Button kind={kind} aria-label={label} className={cx("w-6 justify-center px-0!", className)} {...rest}>
        <Icon of={icon} small={small} />
      </Button>
    </Tooltip>
  );
}
