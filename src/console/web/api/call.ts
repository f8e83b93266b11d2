import { SERVICE_URL } from "../url.ts";
import { ApiError } from "./api-error.ts";

/** A request of the API: what a panel shows and what it offers as `curl`. */
export interface ApiRequest {
  path: string;
  data: object;
}

export interface ApiResponse<Data> {
  data: Data;
  /** Leads to the next page. */
  pageToken: string | undefined;
}

interface CallOptions {
  workspaceId?: string;
  signal?: AbortSignal;
}

/** Calls an operation with the session's cookie; throws a ApiError. */
export async function call<Data>({ path, data }: ApiRequest, options: CallOptions = {}): Promise<ApiResponse<Data>> {
  const { workspaceId, signal } = options;
  const response = await post(path, { data }, { ...(workspaceId && { "x-colloquy-workspace": workspaceId }) }, signal);
  const body: Body<Data> = await response.json();
  const { data: answered, pageToken, nextPageToken } = body.result ?? { data: body.data };
  return { data: asContracted(answered), pageToken: pageToken ?? nextPageToken ?? undefined };
}

/** A success has `result`, or `data` itself where the work goes on behind the answer. */
interface Body<Data> {
  result?: { data?: Data; pageToken?: string | null; nextPageToken?: string | null };
  data?: Data;
}

/** Holds because the service checks its answers against the contract that the types are taken from. */
function asContracted<Data>(data: Data | undefined): Data {
  return data as Data;
}

/** Sends JSON to this service; throws a ApiError for every answer that is no success. */
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
    throw new ApiError("OFFLINE", "The service does not answer.");
  });
  if (response.ok) return response;
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const { error }: { error?: { status: string; message: string } } = await response.json().catch(() => ({}));
  const { status, message } = error ?? { status: "INTERNAL", message: `The answer was HTTP ${response.status}.` };
  throw new ApiError(status, message, requestId);
}
