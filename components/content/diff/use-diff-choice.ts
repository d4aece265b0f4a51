import { useState } from "react";
import { usePreferences } from "@/lib/client/preferences";
import { useMedia } from "@/lib/client/use-media";

export type DiffChoice = {
  split: boolean;
  ignoreSpace: boolean;
  setSplit: (split: boolean) => void;
  setIgnoreSpace: (ignore: boolean) => void;
};

/** Narrower, half a line of code does not fit. */
const WIDE = "(width >= 1800px)";

/** How a diff is drawn: as the reader chose here, else as they prefer it. */
export function useDiffChoice(): DiffChoice {
  const { diff, ignoreSpace } = usePreferences();
  const wide = useMedia(WIDE);
  const [split, setSplit] = useState<boolean | null>(null);
  const [ignore, setIgnoreSpace] = useState<boolean | null>(null);
  return {
    split: split ?? (diff === "split" || (diff === "auto" && wide)),
    ignoreSpace: ignore ?? ignoreSpace,
    setSplit,
    setIgnoreSpace,
  };
}
