/** The steps of detection after tokens, as one module: everything that TypeScript sets, and calls. */
export * from "./contexts";
export * from "./instances";
export * from "./join";
export { high, longest, low, starts, tokens } from "./list";
export * from "./sort";
export { waiting } from "./split";
