import type { AccessRole } from "../contract/end-user.ts";
import type { ErrorStatus } from "../contract/error-catalogue.ts";
import { ServiceError } from "../contract/errors.ts";
import { JsonText, Page } from "../contract/operation.ts";

/** Media type of every response. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Length in UTF-16 code units from which a text is sent as bytes. */
const LONG_TEXT = 4 * 1024;

/** Names of the page token in the response of an operation that sets none. */
export const DEFAULT_PAGE_TOKEN_NAMES = ["pageToken"] as const;

/** HTTP code of the success of an asynchronous operation. */
export const ACCEPTED = 202;

interface Success {
  message: string;
  /** Payload; undefined if the response has no `data`. */
  data: unknown;
  /** Cursor of the event log before the data was read, if the response has one. */
  eventCursor?: string | undefined;
  /** Role of the calling user on the document, if the response has it. */
  accessRole?: AccessRole | undefined;
  pageTokenNames: readonly string[];
  isLastPageTokenNull: boolean;
  sign(cursor: unknown): string;
}

/** Returns the body of the success of an asynchronous operation. */
export function acceptedBody(message: string, data: unknown): string {
  return JSON.stringify({ status: "success", message, data, statusCode: ACCEPTED });
}

/** Returns the body of every other success. A page is inserted as text, unparsed. */
export function successBody(success: Success): string | Buffer {
  const { message, data, eventCursor, accessRole } = success;
  const role = accessRole === undefined ? "" : `,"accessRole":"${accessRole}"`;
  const added = eventCursor === undefined ? role : `,"eventCursor":${JSON.stringify(eventCursor)}${role}`;
  const head = `{"result":{"status":"success","message":${JSON.stringify(message)}`;
  if (data === undefined) return `${head}}}`;
  if (data instanceof JsonText) return joined([`${head},"data":`, data.text, `${added}}}`]);
  if (!(data instanceof Page)) return `${head},"data":${JSON.stringify(data)}${added}}}`;
  return joined([`${head},"data":`, data.data.text, `${added}${pageTokenField(data.next, success)}}}`]);
}

/** Returns the fields of the page token, each with a leading comma, or an empty text if there is no token. */
function pageTokenField(next: unknown, { pageTokenNames, isLastPageTokenNull, sign }: Success): string {
  if (next === undefined && !isLastPageTokenNull) return "";
  const token = JSON.stringify(next === undefined ? null : sign(next));
  return pageTokenNames.map((name) => `,"${name}":${token}`).join("");
}

/**
 * Joins parts. A long text becomes bytes at once: as a string it would be copied to find its length and again behind
 * the headers, which was two thirds of all allocations for pages of 50 records.
 */
function joined(parts: string[]): string | Buffer {
  if (parts.every(({ length }) => length < LONG_TEXT)) return parts.join("");
  const body = Buffer.allocUnsafe(parts.reduce((bytes, part) => bytes + Buffer.byteLength(part), 0));
  let offset = 0;
  for (const part of parts) offset += body.write(part, offset);
  return body;
}

/** Returns the body of an error. */
export function errorBody(error: { message: string; status: ErrorStatus; details?: object | undefined }): string {
  const { message, status, details } = error;
  return JSON.stringify({ error: { message, status, ...(details && { details }) } });
}

/** Returns the error that callers see for an unknown error. */
export function internalError(requestId: string, cause: unknown): ServiceError {
  const message = `Something went wrong on our side. The log has it as request ${requestId}.`;
  return new ServiceError("internal_error", message, { cause });
}
