export { DocumentError, type DocumentState } from "./open-document.ts";
export { type DocumentOptions, useDocument } from "./use-document.ts";
