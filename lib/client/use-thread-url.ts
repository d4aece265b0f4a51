import { useQueryStates } from "nuqs";
import { useCallback } from "react";
import { changeThreadUrl } from "./session-history";
import { type SetThreadUrl, THREAD_PARSERS, type ThreadUrl } from "./session-url";

/** The address of a session page, and the only way to write it. */
export function useThreadUrl(): [ThreadUrl, SetThreadUrl] {
  const [url, write] = useQueryStates(THREAD_PARSERS);
  const setUrl = useCallback<SetThreadUrl>(
    (change, how) =>
      changeThreadUrl(change, how, (values) => write(values, { history: "replace", shallow: true })),
    [write],
  );
  return [url, setUrl];
}

/** One value of the address; only a change of this one draws again. */
export function useThreadUrlValue<Name extends "at" | "detail">(name: Name): ThreadUrl[Name] {
  return useQueryStates({ [name]: THREAD_PARSERS[name] })[0][name] as ThreadUrl[Name];
}
