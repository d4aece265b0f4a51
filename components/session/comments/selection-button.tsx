import { MessageSquarePlus } from "lucide-react";
import { useEffect, useState } from "react";
import { type CommentDraft, draftOfSelection } from "@/components/annotations/comment-draft";
import { useSessionPage } from "@/components/session/session-store";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";

/** A button beside text that was selected with the pointer. */
export function SelectionButton({ onWrite }: { onWrite: (draft: CommentDraft) => void }) {
  const { store } = useSessionPage();
  const [at, setAt] = useState<{ left: number; top: number } | null>(null);
  useEffect(() => {
    const look = () => {
      const found = store.views.takesComments() ? draftOfSelection() : null;
      setAt(
        found && { left: Math.min(found.rect.right, window.innerWidth - 120), top: found.rect.bottom + 4 },
      );
    };
    const hide = () => setAt(null);
    const clear = () => window.getSelection()?.isCollapsed !== false && hide();
    document.addEventListener("pointerup", look);
    document.addEventListener("selectionchange", clear);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("pointerup", look);
      document.removeEventListener("selectionchange", clear);
      document.removeEventListener("scroll", hide, { capture: true });
    };
  }, [store]);
  if (!at) return null;
  return (
    <Button
      style={at}
      className="fixed z-20 shadow-overlay"
      // The selection would go with the press.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => {
        const found = draftOfSelection();
        setAt(null);
        if (found) onWrite(found.draft);
      }}
    >
      <Icon of={MessageSquarePlus} small />
      Comment
    </Button>
  );
}
