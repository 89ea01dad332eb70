/** The part of sketching that takes the time, as one module: everything that TypeScript reads, and calls. */
export * from "./features";
export * from "./words";

/** Where a text may begin: all that follows in the memory is free. */
export const text: usize = __heap_base;
