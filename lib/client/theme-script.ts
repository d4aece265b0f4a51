/** Where preferences are kept in localStorage, one JSON object. */
export const PREFERENCES_KEY = "backscroll.preferences";

/**
 * Runs in the document's head before the first paint, so that a chosen theme or text size never
 * flashes. Mirrors `applyPreferences`, which takes over once the page is hydrated. Without a chosen text size the page
 * follows the browser's own font size, where 13 px go with the usual 16: `data-browser-text` is that of the page's sizes
 * which is nearest. What is larger than the largest is for the browser's zoom.
 */
export const THEME_SCRIPT = `var e=document.documentElement,d=e.dataset,r=parseFloat(getComputedStyle(e).fontSize)*13/16;d.text=d.browserText=r>0?r<12.5?12:r<13.5?13:r<15?14:16:13;try{var p=JSON.parse(localStorage.getItem("${PREFERENCES_KEY}")||"{}");if(p.theme==="light"||p.theme==="dark")d.theme=p.theme;if(p.textPx)d.text=String(p.textPx);if(p.rows)d.rows=String(p.rows)}catch(e){}`;
