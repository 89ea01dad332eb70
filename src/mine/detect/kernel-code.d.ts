/** The code of assembly/, compiled: scripts/kernels.mjs writes this module into dist/. Strings of base64. */
export const tokensCode: string;
/** By the bytes of a count. */
export const detectionCode1: string;
export const detectionCode2: string;
export const detectionCode4: string;
