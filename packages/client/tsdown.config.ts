import { defineConfig } from "tsdown";

export default defineConfig({
  // Pages that call operations without stores need no script of the stores.
  entry: { index: "src/index.ts", stores: "src/stores/index.ts" },
  platform: "neutral",
  target: "es2022",
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  minify: true,
  logLevel: "warn",
});
