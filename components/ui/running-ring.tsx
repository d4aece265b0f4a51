/** The one thing that turns: something runs. Colour from the text. */
export function RunningRing({ label }: { label?: string }) {
  return <span className="ring-turning" role={label ? "img" : undefined} aria-label={label} />;
}

/** A filled dot: live. */
export function LiveDot() {
  return <span aria-hidden="true" className="size-[7px] flex-none rounded-full bg-run" />;
}
