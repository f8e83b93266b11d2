import { defineConfig } from "tsdown";

export default defineConfig({
  // Pages load the script of what they use: of schemas of editors, of stores, and of uploads.
  entry: { index: "src/index.ts", schema: "src/schema.ts", stores: "src/stores/index.ts", upload: "src/upload.ts" },
  platform: "neutral",
  target: "es2022",
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  minify: true,
  logLevel: "warn",
});
