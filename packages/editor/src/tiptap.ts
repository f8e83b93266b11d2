export { toEditorSchema } from "@colloquy/client/schema";

import { Extension } from "@tiptap/core";
import type { AnchoredThreads } from "./model/anchored-threads.ts";
import { commentsPlugin } from "./prosemirror/plugin.ts";

/** Options of `Comments`. */
export interface CommentsOptions {
  /** The threads on the text of the editor. */
  comments: AnchoredThreads | undefined;
}

/** Highlights the text of threads in Tiptap: `Comments.configure({ comments })`. */
export const Comments: Extension<CommentsOptions> = Extension.create<CommentsOptions>({
  name: "colloquyComments",
  addOptions: () => ({ comments: undefined }),
  addProseMirrorPlugins() {
    return this.options.comments ? [commentsPlugin(this.options.comments)] : [];
  },
});
