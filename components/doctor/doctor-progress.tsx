import { Progress } from "@/components/ui/progress";
import { useDelayed } from "@/lib/client/use-delayed";
import { formatBytesOf } from "@/lib/format/format-bytes";

/** How far the examination has come. Nothing for the first moment: most reports are there at once. */
export function DoctorProgress({ progress }: { progress: { bytesDone: number; bytesTotal: number } | null }) {
  const shown = useDelayed(true);
  if (!shown) return null;
  const { bytesDone, bytesTotal } = progress ?? { bytesDone: 0, bytesTotal: 0 };
  return (
    <div role="status" className="m-auto flex max-w-[440px] flex-col gap-2 p-6 text-12 text-fg-2">
      <span>
        Examining every line
        {bytesTotal > 0 ? (
          <span className="tabular-nums">: {formatBytesOf(bytesDone, bytesTotal)}</span>
        ) : null}
      </span>
      <Progress share={bytesTotal === 0 ? 0 : bytesDone / bytesTotal} label="Bytes examined" thick />
    </div>
  );
}
