/** The part of sketching that takes most of the time, as one module: everything that TypeScript reads and calls. */
export * from "./features";
export * from "./words";

/** Where a text may begin: all memory from here on is free. */
export const text: usize = __heap_base;
