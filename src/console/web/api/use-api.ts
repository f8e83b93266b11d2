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

/** A request of the page and how it stands; what a panel shows. */
export interface ApiQuery<Data> {
  request: ApiRequest;
  query: UseQueryResult<ApiResponse<Data>>;
}

interface ApiQueryOptions<Data> {
  /** False while what to ask for is not known yet. */
  isEnabled?: boolean;
  /** Asks again so often while the page is visible. */
  refetchMs?: number | ((data: Data | undefined) => number | false);
}

/** Reads by an operation of the API. Data of the request before stays on the page until the new one is there. */
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

/**
 * Changes something by an operation of the API; afterwards everything that is on the page is read again, unless the
 * session has ended with it.
 */
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

/** A refusal may mean that the session is over: then the list of workspaces is refused, too, and sign-in is shown. */
export function useSessionCheck(): (error: unknown) => never {
  const queryClient = useQueryClient();
  return (error) => {
    if (isPermissionDenied(error)) void queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
    throw error;
  };
}
