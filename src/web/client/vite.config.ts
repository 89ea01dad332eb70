import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../../../dist/web/client",
    emptyOutDir: true,
    target: "es2022",
    // The policy allows no inline anything.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
