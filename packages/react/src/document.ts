export { DocumentError, type DocumentState } from "./open-document.ts";
export { type DocumentOptions, type RetryableDocument, useDocument } from "./use-document.ts";
