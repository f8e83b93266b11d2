import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type ApiError, isPermissionDenied } from "./api-error.ts";
import { type ApiRequest, type ApiResponse, call } from "./call.ts";
import { useWorkspace, WORKSPACES_KEY } from "./workspace.ts";

/** A request to the API and the state of its query. */
export interface ApiQuery<Data> {
  request: ApiRequest;
  query: UseQueryResult<ApiResponse<Data>>;
}

interface ApiQueryOptions<Data> {
  /** Set to false while the request is not known yet. */
  isEnabled?: boolean;
  /** Interval of repeated reads while the page is visible. */
  refetchMs?: number | ((data: Data | undefined) => number | false);
}

/** Reads from the API. The data of the previous request stays on the page until the new data arrives. */
export function useApiQuery<Data>(path: string, data: object, options: ApiQueryOptions<Data> = {}): ApiQuery<Data> {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const { isEnabled = true, refetchMs } = options;
  const request = { path, data };
  const query = useQuery({
    queryKey: [workspaceId, path, data],
    queryFn: ({ signal }) => call<Data>(request, { workspaceId, signal }).catch(checkSession),
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      typeof refetchMs === "function" ? refetchMs(state.data?.data) : (refetchMs ?? false),
    placeholderData: keepPreviousData,
  });
  return { request, query };
}

/** Changes something through the API, then reads everything on the page again unless the change ends the session. */
export function useApiMutation<Data, Variables extends object>(
  path: string,
  { endsSession = false } = {},
): UseMutationResult<ApiResponse<Data>, ApiError, Variables> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const checkSession = useSessionCheck();
  return useMutation({
    mutationFn: (data: Variables) => call<Data>({ path, data }, { workspaceId }).catch(checkSession),
    onSuccess: () => {
      if (!endsSession) void queryClient.invalidateQueries({ queryKey: [workspaceId] });
    },
  });
}

/**
 * Returns a handler that rethrows an error. On PERMISSION_DENIED it first reads the list of workspaces again; if the
 * session has expired, that fails as well and the sign-in page is shown.
 */
export function useSessionCheck(): (error: unknown) => never {
  const queryClient = useQueryClient();
  return (error) => {
    if (isPermissionDenied(error)) void queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
    throw error;
  };
}
