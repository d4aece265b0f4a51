import { useEffect, useEffectEvent } from "react";
import { holdKeys } from "@/lib/client/key-registry";
import type { DrawnPart } from "@/lib/client/page-part";
import { Dialog } from "./dialog";
import { PartFault } from "./part-fault";

/**
 * In the place of an open dialog whose code is not there: nothing for the moment that it takes, in which no key does
 * anything, as below any dialog; or that it did not come, and a way to try again. `onType` is called with what is typed
 * meanwhile, for a dialog whose field would have it.
 */
export function PartDialog({
  part: { failed, retry },
  title,
  onClose,
  onType,
}: {
  part: Pick<DrawnPart<unknown>, "failed" | "retry">;
  title: string;
  onClose: () => void;
  onType?: ((character: string) => void) | undefined;
}) {
  if (!failed) return <Awaited onClose={onClose} onType={onType} />;
  return (
    <Dialog title={title} open onOpenChange={(open) => !open && onClose()}>
      <PartFault title="Couldn’t load this dialog" onRetry={retry} />
    </Dialog>
  );
}

function Awaited({
  onClose,
  onType,
}: {
  onClose: () => void;
  onType: ((character: string) => void) | undefined;
}) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event;
    if (isComposing) return;
    if (key === "Escape") onClose();
    else if (key.length === 1 && !ctrlKey && !metaKey && !altKey && onType) onType(key);
    else return;
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
