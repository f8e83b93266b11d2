export { toEditorSchema } from "@colloquy/client/schema";

import { Extension } from "@tiptap/core";
import type { AnchoredThreads } from "./model/anchored-threads.ts";
import { commentsPlugin } from "./prosemirror/plugin.ts";

/** Options of `Comments`. */
export interface CommentsOptions {
  threads: AnchoredThreads | undefined;
}

/** Highlights the text of threads in Tiptap: `Comments.configure({ threads })`. */
export const Comments: Extension<CommentsOptions> = Extension.create<CommentsOptions>({
  name: "colloquyComments",
  addOptions: () => ({ threads: undefined }),
  addProseMirrorPlugins() {
    return this.options.threads ? [commentsPlugin(this.options.threads)] : [];
  },
});
