import { type ErrorStatus, ServiceError } from "./errors.ts";
import { JsonText, Page } from "./operation.ts";

/** The media type of every answer. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** The HTTP code of an asynchronous operation's success. */
export const ACCEPTED = 202;

interface Success {
  message: string;
  /** Undefined where the answer has no `data`. */
  data: unknown;
  pageTokenName: string;
  isLastPageTokenNull: boolean;
  seal(cursor: unknown): string;
}

/** The body of the success of an asynchronous operation. */
export function acceptedBody(message: string, data: unknown): string {
  return JSON.stringify({ status: "success", message, data, statusCode: ACCEPTED });
}

/** The body of every other success. A page is put in as text, not parsed. */
export function successBody({ message, data, pageTokenName, isLastPageTokenNull, seal }: Success): string {
  const head = `{"result":{"status":"success","message":${JSON.stringify(message)}`;
  if (data === undefined) return `${head}}}`;
  if (data instanceof JsonText) return `${head},"data":${data.text}}}`;
  if (!(data instanceof Page)) return `${head},"data":${JSON.stringify(data)}}}`;
  const body = `${head},"data":${data.data.text}`;
  if (data.next === undefined && !isLastPageTokenNull) return `${body}}}`;
  const token = data.next === undefined ? null : seal(data.next);
  return `${body},${JSON.stringify(pageTokenName)}:${JSON.stringify(token)}}}`;
}

export function errorBody(error: { message: string; status: ErrorStatus; details?: object | undefined }): string {
  const { message, status, details } = error;
  return JSON.stringify({ error: { message, status, ...(details && { details }) } });
}

/** What the caller is told of a failure that is no ServiceError. */
export function internalError(requestId: string, cause: unknown): ServiceError {
  return new ServiceError("INTERNAL", `Something went wrong on our side; the log has it as request ${requestId}.`, {
    cause,
  });
}
