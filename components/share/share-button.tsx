import { Share } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { openPageDialog } from "@/lib/client/address/page-dialogs";
import { useIsGuest } from "@/lib/client/connection/token";

/** Opens the share dialog for the current view. `compact`: on a narrow page only its icon. */
export function ShareButton({ compact = false }: { compact?: boolean }) {
  const isGuest = useIsGuest();
  return (
    <Button onClick={() => openPageDialog("share")}>
      <Icon of={Share} small />
      <span className={compact ? "max-md:sr-only" : undefined}>{isGuest ? "Copy link" : "Share"}</span>
    </Button>
  );
}
