/** In it the proxy tells a page's document its own path and query, as at the root of the host: Next tells a layout neither. */
export const ADDRESS_HEADER = "x-backscroll-address";
