import { useQueryStates } from "nuqs";
import { LIBRARY_PARSERS } from "./library-filters";

/** The library's filters, which live in the address. Changing them makes no history entries. */
export function useLibraryFilters() {
  return useQueryStates(LIBRARY_PARSERS, { history: "replace", clearOnDefault: true });
}
