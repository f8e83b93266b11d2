import { defineConfig } from "tsdown";

export default defineConfig({
  // Each file of this folder is an entry, so that a page loads the script of its own editor only.
  entry: ["src/*.{ts,tsx}"],
  platform: "neutral",
  target: "es2022",
  // Server components can import hooks only from a client module.
  banner: ({ fileName }) => (fileName === "react.js" ? '"use client";' : undefined),
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  // The output names no folders of this project, such as that of the anchors, which the service has too.
  inputOptions: { experimental: { attachDebugInfo: "none" } },
  logLevel: "warn",
});
