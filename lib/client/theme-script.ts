/** Where preferences are kept in localStorage, one JSON object. */
export const PREFERENCES_KEY = "backscroll.preferences";

/**
 * Runs in the document's head before the first paint, so that a chosen theme or text size never
 * flashes. Mirrors `applyPreferences`, which takes over once the page is hydrated.
 */
export const THEME_SCRIPT = `try{var p=JSON.parse(localStorage.getItem("${PREFERENCES_KEY}")||"{}"),d=document.documentElement.dataset;if(p.theme==="light"||p.theme==="dark")d.theme=p.theme;if(p.textPx)d.text=String(p.textPx);if(p.rows)d.rows=String(p.rows)}catch(e){}`;
