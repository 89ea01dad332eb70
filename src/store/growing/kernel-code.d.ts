/** The code of assembly/, compiled: scripts/kernels.mjs writes this module into dist/. A string of base64. */
export const markCode: string;
