import { defineConfig } from "vitest/config";

/**
 * True of what validation is to become: each leaves this list with the change that makes it true. AWAITING=1 runs them.
 */
const awaiting = ["test/validate/fooled.test.ts", "test/accuracy/random-sites.test.ts"];

// Tests import "#src/..." (package.json "imports"), which is the build in dist/: what ships is what is tested,
// worker threads and WebAssembly included. Build first: `npm test` does, `npm run build` by hand.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/sites/**", "test/exports/**", ...(process.env.AWAITING ? [] : awaiting)],
    testTimeout: 60_000,
    pool: "forks",
  },
});
