import { useState } from "react";
import { isForInputMethod } from "@/lib/client/key-events";
import { setPreferences, usePreferences } from "@/lib/client/preferences";
import { MAX_GUEST_NAME } from "@/lib/wire/presence";

/** The reader's name, which others see: whoever presents, and whoever reads their comments. */
export function GuestName() {
  const { guestName } = usePreferences();
  const [typed, setTyped] = useState<string | null>(null);
  /** The field was left by a key: the button that opened it gets the focus again. */
  const [isLeft, setLeft] = useState(false);
  const keep = () => {
    if (typed !== null) setPreferences({ guestName: typed.trim() });
    setTyped(null);
  };
  if (typed === null)
    return (
      <button
        type="button"
        autoFocus={isLeft}
        className="max-w-40 flex-none truncate underline decoration-line-3 underline-offset-2 hover:text-fg"
        onClick={() => {
          setTyped(guestName);
          setLeft(false);
        }}
      >
        {guestName === "" ? "Say who you are" : `You are ${guestName}`}
      </button>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setLeft(true);
        keep();
      }}
    >
      <input
        aria-label="Your name"
        placeholder="Your name"
        maxLength={MAX_GUEST_NAME}
        autoFocus
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={keep}
        onKeyDown={({ key, nativeEvent }) => {
          if (key !== "Escape" || isForInputMethod(nativeEvent)) return;
          setLeft(true);
          setTyped(null);
        }}
        className="-my-0.5 h-5 w-32 rounded-2 border border-line-3 bg-bg px-1.5"
      />
    </form>
  );
}
