"use client";

/** The first stop of Tab on every page: past its bars and columns, to what the page is about. */
export function SkipLink() {
  const skip = () => {
    const parts = document.querySelectorAll<HTMLElement>("main, [data-main]");
    // What stands over the thread makes it inert.
    const main = [...parts].find((part) => !part.closest("[inert]"));
    if (!main) return;
    if (!main.hasAttribute("tabindex")) main.tabIndex = -1;
    main.focus();
  };
  // A button: a link would need a fragment, which holds the token until the page has read it.
  return (
    <button
      type="button"
      onClick={skip}
      className="fixed top-1.5 left-2 z-50 flex h-7 -translate-y-20 items-center rounded-2 border border-line-3 bg-raised px-3 text-12 text-fg shadow-overlay focus:translate-y-0 print:hidden"
    >
      Skip to content
    </button>
  );
}
