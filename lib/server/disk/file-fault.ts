/** The system's code of a failed call (`ENOENT`, `EACCES`, …), or `null` for any other error. */
export function faultCode(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Gone, or never there: a file that was deleted in the meantime is not a fault. */
export function isMissing(error: unknown): boolean {
  const code = faultCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The result of `look`; null for what was deleted meanwhile, or may not be accessed. */
export function ifAccessible<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (faultCode(error) !== null) return null;
    throw error;
  }
}

/** Shortages of the system that may pass, or of a disk that is far away. */
const PASSING = new Set([
  ...["EAGAIN", "EBUSY", "EINTR", "EIO", "EMFILE", "ENFILE", "ENOMEM"],
  ...["ENETDOWN", "ENETUNREACH", "EHOSTDOWN", "EHOSTUNREACH", "ESTALE", "ETIMEDOUT"],
]);

/** True for a fault that may pass although nothing about the file has changed. */
export function mayPass(error: unknown): boolean {
  return PASSING.has(faultCode(error) ?? "");
}

/**
 * True for what reading one of our own files throws where the file itself is wrong: its content, or a folder in its place.
 * False for every other fault of the system, such as a permission or too many open files: what the file says may be
 * readable later.
 */
export function isFileDamage(error: unknown): boolean {
  const code = faultCode(error);
  return code === null || code === "EISDIR";
}

/** An explanation for a reader why something cannot be read, and what to do about it. */
export function explainFault(error: unknown): { code: string; message: string; hint: string } {
  const code = faultCode(error);
  if (code === "EACCES" || code === "EPERM") {
    return { code: "unreadable", message: "Permission denied", hint: "Check who may read it." };
  }
  if (code === "ELOOP") {
    return {
      code: "unreadable",
      message: "It is a symbolic link",
      hint: "Links that leave the folder are not followed.",
    };
  }
  if (isMissing(error))
    return { code: "gone", message: "It is no longer there", hint: "It was moved or deleted." };
  if (code === "EBUSY") {
    return {
      code: "unreadable",
      message: "Another program has it open for itself",
      hint: "Wait until that is done, or close it.",
    };
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return {
      code: "too-many-files",
      message: "Too many files are open",
      hint: "Raise the limit (ulimit -n).",
    };
  }
  return {
    code: "unreadable",
    message: `Reading failed (${code ?? "unknown error"})`,
    hint: "Check the disk.",
  };
}
