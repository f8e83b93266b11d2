export { toEditorSchema } from "@colloquy/client/schema";
export { commentsPlugin } from "./prosemirror/plugin.ts";
