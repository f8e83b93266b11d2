import {
  keepPreviousData,
  type Query,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type ApiError, isAboutDisabled, isPermissionDenied } from "./api-error.ts";
import { type ApiResponse, call, type Path, type RequestData, type ResponseData } from "./call.ts";
import type { CurlRequest } from "./curl.ts";
import { recoveryInterval, useLastingError } from "./recovery.ts";
import { useWorkspace, WORKSPACES_KEY } from "./workspace.ts";

/** A request to the API and the state of its query. */
export interface ApiQuery<Data> {
  request: CurlRequest;
  query: UseQueryResult<ApiResponse<Data>>;
  /** Why the last read failed, until another one succeeds. */
  error: Error | null;
}

interface ApiQueryOptions<Data> {
  /** Set to false while the request is not known yet. */
  isEnabled?: boolean;
  /** Interval of repeated reads while the page is visible. */
  refetchMs?: number | ((data: Data | undefined) => number | false);
}

/** Reads from the API. The data of the previous request stays on the page until the new data arrives. */
export function useApiQuery<P extends Path>(
  path: P,
  data: RequestData<P>,
  options: ApiQueryOptions<ResponseData<P>> = {},
): ApiQuery<ResponseData<P>> {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const { isEnabled = true, refetchMs } = options;
  const request = { path, data };
  const query = useQuery({
    queryKey: [workspaceId, path, data],
    queryFn: ({ signal }) => call(request, { workspaceId, signal }).catch(checkSession),
    enabled: isEnabled,
    refetchInterval: (query) =>
      recoveryInterval(query) ||
      (typeof refetchMs === "function" ? refetchMs(query.state.data?.data) : (refetchMs ?? false)),
    placeholderData: keepPreviousData,
  });
  return { request, query, error: useLastingError(query) };
}

/** Reads by several requests of one operation. Returns the data of each, or undefined until it has arrived. */
export function useApiQueries<P extends Path>(
  path: P,
  requests: readonly RequestData<P>[],
): (ResponseData<P> | undefined)[] {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const results = useQueries({
    queries: requests.map((data) => ({
      queryKey: [workspaceId, path, data],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call({ path, data }, { workspaceId, signal }).catch(checkSession),
    })),
  });
  return results.map(({ data }) => data?.data);
}

/** Returns a function that reads from the API once. */
export function useApiRead<P extends Path>(path: P): (data: RequestData<P>) => Promise<ResponseData<P>> {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  return async (data) => (await call({ path, data }, { workspaceId }).catch(checkSession)).data;
}

interface MutationOptions {
  /** Whether the change ends the session, so that nothing can be read after it. */
  endsSession?: boolean;
  /** Operations whose responses on the page the change affects; all of them unless given. */
  affects?: readonly Path[];
}

/** Changes something through the API, then reads again what it affects on the page. Other queries are marked stale. */
export function useApiMutation<P extends Path>(
  path: P,
  { endsSession = false, affects }: MutationOptions = {},
): UseMutationResult<ApiResponse<ResponseData<P>>, ApiError, RequestData<P>> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const checkSession = useSessionCheck();
  return useMutation({
    mutationFn: (data: RequestData<P>) => call({ path, data }, { workspaceId }).catch(checkSession),
    onSuccess: () => {
      if (endsSession) return;
      const queryKey = [workspaceId];
      void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
      const predicate = ({ queryKey: [, read] }: Query) => affects?.some((affected) => affected === read) ?? true;
      const affected = { queryKey, predicate };
      // invalidateQueries does not restart a first fetch that is running, so it is canceled.
      void queryClient.cancelQueries(affected).then(() => queryClient.invalidateQueries(affected));
    },
  });
}

/** Returns a handler that checks the session after an error, and rethrows the error. */
export function useSessionCheck(): (error: unknown) => never {
  const queryClient = useQueryClient();
  return (error) => {
    checkSessionAfter(error, queryClient);
    throw error;
  };
}

/**
 * Reads the list of workspaces again after PERMISSION_DENIED; if the session has expired, that fails as well and the
 * sign-in page is shown. A disabled organization says nothing about the session.
 */
export function checkSessionAfter(error: unknown, queryClient: QueryClient): void {
  if (!isPermissionDenied(error) || isAboutDisabled(error)) return;
  void queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
}
