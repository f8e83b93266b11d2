export type * from "./api.generated.ts";
export {
  type CallOptions,
  type Client,
  createClient,
  type Item,
  type ListPath,
  type PagedPath,
  type ResponseBody,
  type ResponseData,
} from "./client.ts";
export type { ClientOptions } from "./connection.ts";
export { type Credentials, TOKEN_ERRORS } from "./credentials.ts";
export { type ClientErrorStatus, ColloquyError, type ErrorDetails, type Issue } from "./errors.ts";
export type {
  ChangeEvent,
  EventFilter,
  EventOf,
  PresenceConnection,
  PresenceData,
  ResetEvent,
  StreamEvent,
} from "./events.ts";
export { newIdempotencyKey } from "./idempotency-key.ts";
export type { Caller, Path, PathOf, RequestData } from "./request-data.ts";
export { type ListField, splitRequest } from "./request-size.ts";
export type { StreamStatus } from "./stream.ts";
