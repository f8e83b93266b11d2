import { defineConfig } from "tsdown";

export default defineConfig({
  // Web pages without a collaborative document need no script of Hocuspocus.
  entry: ["src/index.ts", "src/document.ts"],
  platform: "neutral",
  target: "es2022",
  // All entries have hooks, which server components can import only from a client module.
  banner: { js: '"use client";' },
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  logLevel: "warn",
});
