import { defineConfig } from "vitest/config";

// Tests import "#src/..." (package.json "imports"), which is the build in dist/: what ships is what is tested,
// worker threads and WebAssembly included. Build first: `npm test` does, `npm run build` by hand.
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Each of these has a script of its own.
    exclude: ["test/browser/**", "test/sites/**", "test/exports/**", "test/truth/**"],
    setupFiles: ["test/seed.ts"],
    testTimeout: 60_000,
    // Some files prepare a workspace by several commands before their first test.
    hookTimeout: 60_000,
    // The build is loaded as Node loads it, not transformed once more.
    server: { deps: { external: [/\/dist\//] } },
    pool: "forks",
    // A process runs one file after another, as a server runs one job after another: nothing may depend on a fresh start, and
    // each start, with the loading of what all of them load, takes more than half a second.
    isolate: false,
    // Of two cores one would be left idle.
    maxWorkers: "100%",
  },
});
