import { defineConfig } from "tsdown";

export default defineConfig({
  // Pages load only what they need: no script of Hocuspocus without a collaborative document, and one language.
  entry: ["src/index.ts", "src/document.ts", "src/texts/*.ts"],
  platform: "neutral",
  target: "es2022",
  // All entries have hooks, which server components can import only from a client module.
  banner: { js: '"use client";' },
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  logLevel: "warn",
});
