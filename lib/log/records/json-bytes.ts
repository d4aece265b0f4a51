/**
 * The bytes that give a line of JSON its shape, for those who read it without parsing it. None of them is part of a
 * longer character in UTF-8, so a line can be searched for them byte by byte.
 */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OPEN = 0x7b;
export const CLOSE = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const SPACE = 0x20;
/** Behind a backslash: four hexadecimal digits follow. */
export const UNICODE_ESCAPE = 0x75;
