import { defineConfig } from "tsdown";

export default defineConfig({
  // Each file of this folder is an entry, so that a page loads the script of its own editor only.
  entry: ["src/*.ts"],
  platform: "neutral",
  target: "es2022",
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  logLevel: "warn",
});
