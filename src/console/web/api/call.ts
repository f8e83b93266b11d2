import type { Api } from "../../../operations.ts";
import { SERVICE_URL } from "../url.ts";
import { ApiError, getError } from "./api-error.ts";

/** A path of the API. */
export type Path = keyof Api;
export type RequestData<P extends Path> = Api[P]["request"];
export type ResponseData<P extends Path> = Api[P]["response"];
/** A record in the list that an operation returns. */
export type Item<P extends Path> = Extract<ResponseData<P>, readonly unknown[]>[number];

/** A request to the API, which a panel shows the result of and offers as `curl`. */
export interface ApiRequest<P extends Path> {
  path: P;
  data: RequestData<P>;
}

/** A request to any operation of the API. */
export type AnyApiRequest = { [P in Path]: ApiRequest<P> }[Path];

export interface ApiResponse<Data> {
  data: Data;
  /** Token of the next page; undefined on the last page. */
  pageToken: string | undefined;
  /** Cursor after which the events follow of the changes that the data does not show, if there is one. */
  eventCursor?: string | undefined;
  /** Time at which it arrived, in milliseconds of a clock that nobody can set back. */
  receivedAt: number;
}

export interface CallOptions {
  workspaceId?: string;
  signal?: AbortSignal;
}

/** Calls an operation with the session cookie. Throws an ApiError unless it succeeds. */
export async function call<P extends Path>(
  { path, data }: ApiRequest<P>,
  options: CallOptions = {},
): Promise<ApiResponse<ResponseData<P>>> {
  const { workspaceId, signal } = options;
  const response = await post(path, { data }, { ...(workspaceId && { "x-colloquy-workspace": workspaceId }) }, signal);
  const body: Body<ResponseData<P>> = await response.json();
  const { data: responseData, pageToken, nextPageToken, eventCursor } = body.result ?? { data: body.data };
  return {
    data: asContracted(responseData),
    pageToken: pageToken ?? nextPageToken ?? undefined,
    eventCursor,
    receivedAt: performance.now(),
  };
}

/** Body of a successful response: `result`, or `data` at the top level for an asynchronous operation. */
interface Body<Data> {
  result?: { data?: Data; pageToken?: string | null; nextPageToken?: string | null; eventCursor?: string };
  data?: Data;
}

/** Holds because the service builds its responses from the contract that the types come from. */
function asContracted<Data>(data: Data | undefined): Data {
  return data as Data;
}

/** Posts JSON to this service. Throws an ApiError unless the response is a success. */
export async function post(
  path: string,
  body: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(`${SERVICE_URL}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError("OFFLINE", "The service does not respond.");
  });
  if (response.ok) return response;
  throw await getError(response);
}
