/** The mark of what opens. A plain drawing: every row has one, and an icon of the library costs three components. */
export function Chevron({ open }: { open: boolean }) {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 24 24"
      aria-hidden="true"
      className="flex-none fill-none stroke-current stroke-[2.4] [stroke-linecap:round] [stroke-linejoin:round]"
    >
      <path d={open ? "m6 9 6 6 6-6" : "m9 18 6-6-6-6"} />
    </svg>
  );
}
