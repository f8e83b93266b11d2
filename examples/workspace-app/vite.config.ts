import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

/** Builds the page with the packages of this repository, which need no build of their own. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  plugins: [react()],
  resolve: { conditions: ["@colloquy/source", ...defaultClientConditions] },
  build: { write: false, chunkSizeWarningLimit: 1_000 },
});
