/** A random text that a page sends, to hear from whoever answers that they know the owner's token. */
export const CHALLENGE_HEADER = "x-backscroll-challenge";

/** The answer to it: an HMAC with SHA-256 of `provenText`, whose key is the token, in hex digits. */
export const PROOF_HEADER = "x-backscroll-proof";

/** What is proven. With the host that was asked, or another program could have it from a server at another port. */
export const provenText = (challenge: string, host: string): string => `${challenge} ${host.toLowerCase()}`;
