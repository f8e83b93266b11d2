import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type Answer, type ApiRequest, call } from "./call.ts";
import { type CallFailure, isRefused } from "./failure.ts";
import { useWorkspace, WORKSPACES_KEY } from "./workspace.ts";

/** A request of the page and how it stands; what a panel shows. */
export interface Asked<Data> {
  request: ApiRequest;
  query: UseQueryResult<Answer<Data>>;
}

interface AskOptions<Data> {
  /** False while what to ask for is not known yet. */
  isEnabled?: boolean;
  /** Asks again so often while the page is visible. */
  everyMs?: number | ((data: Data | undefined) => number | false);
}

/** Reads by an operation of the API. Data of the request before stays on the page until the new one is there. */
export function useAnswer<Data>(path: string, data: object, options: AskOptions<Data> = {}): Asked<Data> {
  const { id: workspaceId } = useWorkspace();
  const checkSession = useSessionCheck();
  const { isEnabled = true, everyMs } = options;
  const request = { path, data };
  const query = useQuery({
    queryKey: [workspaceId, path, data],
    queryFn: ({ signal }) => call<Data>(request, { workspaceId, signal }).catch(checkSession),
    enabled: isEnabled,
    refetchInterval: ({ state }) => (typeof everyMs === "function" ? everyMs(state.data?.data) : (everyMs ?? false)),
    placeholderData: keepPreviousData,
  });
  return { request, query };
}

/**
 * Changes something by an operation of the API; afterwards everything that is on the page is read again, unless the
 * session has ended with it.
 */
export function useChange<Data, Variables extends object>(
  path: string,
  { endsSession = false } = {},
): UseMutationResult<Answer<Data>, CallFailure, Variables> {
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
    if (isRefused(error)) void queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
    throw error;
  };
}
