export { connectLexical, type DocumentProvider, type LexicalCollaboration } from "./lexical/collaboration.ts";
export { type LexicalContent, registerComments } from "./lexical/register-comments.ts";
