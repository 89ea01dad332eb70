import { defineConfig } from "vitest/config";

// Tests import "#src/..." (package.json "imports"), which is the build in dist/: what ships is what is tested,
// worker threads and WebAssembly included. Build first: `npm test` does, `npm run build` by hand.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/browser/**", "test/sites/**", "test/exports/**"],
    testTimeout: 60_000,
    pool: "forks",
  },
});
