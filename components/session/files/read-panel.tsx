import { useEffect, useState } from "react";
import { useSessionPage } from "@/components/session/session-store";
import { otherThan, useFileAt } from "./file-versions";
import type { NameOf } from "./version-mark";
import { VersionPanel } from "./version-panel";
import { useReadVersion, type Walked } from "./version-walk";

/** What changed between the version that is read and the one that it is compared with. */
export function ReadPanel({
  path,
  walked,
  compared,
  nameOf,
  onOther,
  onClose,
}: {
  path: string;
  walked: Walked;
  compared: number;
  nameOf: NameOf;
  onOther: (index: number) => void;
  onClose: (() => void) | null;
}) {
  const { sessionId, url, store } = useSessionPage();
  const { walk, versions } = walked;
  // A frame after the text: each of both is work enough for one.
  const read = useFrameLater(useReadVersion(walked));
  const other = otherThan(read, compared);
  const query = useFileAt(sessionId, path, versions[read]?.id ?? null, versions[other]?.id ?? null);
  const data = useFrameLater(query.data);
  if (!data) return null;
  return (
    <VersionPanel
      sessionId={sessionId}
      path={path}
      versions={versions}
      shown={read}
      other={other}
      blamed={data}
      line={url.line}
      nameOf={nameOf}
      onShow={walk.show}
      onOther={onOther}
      onRow={store.views.leaveForStep}
      onClose={onClose}
    />
  );
}

/** A value as it was before its last change until that has been drawn, and the next frame begins. */
function useFrameLater<T>(value: T): T {
  const [drawn, setDrawn] = useState<T>(value);
  useEffect(() => {
    if (Object.is(value, drawn)) return;
    const frame = requestAnimationFrame(() => setDrawn(() => value));
    return () => cancelAnimationFrame(frame);
  }, [value, drawn]);
  return drawn;
}
