import type { DoctorReport } from "@/lib/wire/doctor";
import { Section } from "./section";

/** Files that could not be read, and what to do about each. */
export function UnreadFiles({ files }: { files: DoctorReport["unread"] }) {
  if (files.length === 0) return null;
  return (
    <Section title="Files not read" count={files.length}>
      <ul className="flex flex-col gap-1 px-3 text-12">
        {files.map(({ file, message, hint }) => (
          <li key={file}>
            <span className="font-mono">{file}</span>: <span className="text-err">{message}</span>{" "}
            <span className="text-fg-2">{hint}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
