import { ApiError } from "./api-error";
import { hasJustAnswered } from "./known-server";
import { askWhetherThere } from "./send";

let tellLost: (text: string) => void = () => undefined;

/** What tells the reader why a page could not be opened. */
export function onLost(tell: (text: string) => void): void {
  tellLost = tell;
}

/**
 * Opens another page, at once where the server has just answered. Else it is asked first: the browser would put its own
 * error, or what another program answers, in the place of what is shown. `stay` is called where nothing is opened.
 */
export function whenThere(open: () => void, stay?: () => void): void {
  if (hasJustAnswered()) return open();
  askWhetherThere().then(
    () => open(),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      tellLost(error.words);
      stay?.();
    },
  );
}
