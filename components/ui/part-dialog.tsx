import { useEffect, useEffectEvent } from "react";
import { isForInputMethod } from "@/lib/client/key-events";
import { holdKeys } from "@/lib/client/key-registry";
import type { DrawnPart } from "@/lib/client/page-part";
import { Dialog } from "./dialog";
import { PartFault } from "./part-fault";

/**
 * In the place of an open dialog whose code is not there: nothing for the moment that it takes, in which no key of the page
 * does anything, as below any dialog; or that it did not come, and a way to try again.
 */
export function PartDialog({
  part: { failed, retry },
  title,
  onClose,
}: {
  part: Pick<DrawnPart<unknown>, "failed" | "retry">;
  title: string;
  onClose: () => void;
}) {
  if (!failed) return <Awaited onClose={onClose} />;
  return (
    <Dialog title={title} open onOpenChange={(open) => !open && onClose()}>
      <PartFault title="Couldn’t load this dialog" onRetry={retry} />
    </Dialog>
  );
}

function Awaited({ onClose }: { onClose: () => void }) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || isForInputMethod(event)) return;
    onClose();
    event.preventDefault();
  });
  useEffect(() => {
    const release = holdKeys();
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => {
      window.removeEventListener("keydown", listen);
      release();
    };
  }, []);
  return null;
}
