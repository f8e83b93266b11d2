import { defineConfig } from "tsdown";

/** The fields of the emojis in the data of Emojibase that the picker needs, a third of all. */
const EMOJI_FIELDS = ["emoji", "label", "tags", "group", "version"];
/** The fields of the names of categories. */
const GROUP_FIELDS = ["groups", "message", "order"];

export default defineConfig({
  // Pages load only what they need: no script of Hocuspocus without a collaborative document, and one language.
  entry: ["src/index.ts", "src/document.ts", "src/suspense.ts", "src/devtools.tsx", "src/texts/*.ts"],
  platform: "neutral",
  // Comments of the scripts name the files by their paths in this folder, wherever links lead.
  inputOptions: { resolve: { symlinks: false } },
  target: "es2022",
  // All entries have hooks, which server components can import only from a client module.
  banner: { js: '"use client";' },
  // Declarations come from each file alone, so that the build needs no type checker.
  dts: { oxc: true },
  // What is published contains the emojis, because their package has 49 MB.
  plugins: [
    {
      name: "emoji-fields",
      transform: {
        filter: { id: /emojibase-data\/\w+\/(data|messages)\.json$/ },
        handler: (code) => ({ code: JSON.stringify(JSON.parse(code), [...EMOJI_FIELDS, ...GROUP_FIELDS]) }),
      },
    },
  ],
  logLevel: "warn",
});
