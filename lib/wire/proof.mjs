/*
 * Whoever sends the owner's token hears first from whoever answers that they know it. The command line reads this before
 * anything has been built, so it is plain JavaScript; a package has it too (`files` in package.json).
 */

/** A random text of 32 hex digits that a page or a command sends, to hear from whoever answers that they know the token. */
export const CHALLENGE_HEADER = "x-backscroll-challenge";

/** The answer to it: an HMAC with SHA-256 of `provenText`, whose key is the token, in hex digits. */
export const PROOF_HEADER = "x-backscroll-proof";

/**
 * What is proven. With the host that was asked, or another program could have it from a server at another port.
 *
 * @param {string} challenge
 * @param {string} host as the request's Host header has it
 */
export const provenText = (challenge, host) => `${challenge} ${host.toLowerCase()}`;
