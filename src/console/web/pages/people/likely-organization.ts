import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useWorkspace } from "../../api/workspace.ts";
import type { UserData } from "./StoredKinds.tsx";

/** An address to begin with is worth this many questions; the export asks all. */
const TRIED = 20;

interface Tried {
  userId: string;
  /** In the order to be tried; undefined while there is nothing to try. */
  organizationIds: string[] | undefined;
}

/** The first of the organizations that has data of a person without a record; undefined until it is found. */
export function useLikelyOrganization({ userId, organizationIds }: Tried): string | undefined {
  const { id: workspaceId } = useWorkspace();
  const tried = organizationIds?.slice(0, TRIED) ?? [];
  const { data } = useQuery({
    queryKey: [workspaceId, "likely organization", userId, tried],
    queryFn: async ({ signal }) => {
      for (const organizationId of tried) {
        const request = { path: "/v2/users/data/get", data: { organizationId, userId } };
        // One that refuses has nothing to begin with.
        const kept = await call<UserData>(request, { workspaceId, signal }).catch(() => undefined);
        if (kept && Object.values(kept.data).some((records) => records.length > 0)) return organizationId;
      }
      return tried[0];
    },
    enabled: tried.length > 0,
  });
  return data;
}
