export { commentsPlugin } from "./prosemirror/plugin.ts";
