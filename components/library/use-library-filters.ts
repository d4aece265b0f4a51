import { useQueryStates } from "nuqs";
import { noteWrite } from "@/lib/client/address-writes";
import { LIBRARY_PARSERS, type LibraryFilters } from "./library-filters";

type SetFilters = (change: Partial<LibraryFilters>, options?: { history: "push" }) => void;

/** The library's filters, which live in the address. Changing them makes no history entries, unless that is asked for. */
export function useLibraryFilters(): [LibraryFilters, SetFilters] {
  const [filters, setFilters] = useQueryStates(LIBRARY_PARSERS, { history: "replace", clearOnDefault: true });
  return [filters, (change, options) => void noteWrite(setFilters(change, options))];
}
