import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/index.ts",
  platform: "neutral",
  target: "es2022",
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  logLevel: "warn",
});
