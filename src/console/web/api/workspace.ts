import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { ApiError } from "./api-error.ts";
import { call, type Item } from "./call.ts";

export type Workspace = Item<"/v2/workspaces/get">;

/** Reads the workspaces that this session has access to, oldest first. Fails without a session. */
export function useWorkspaces(): UseQueryResult<Workspace[]> {
  return useQuery({
    queryKey: WORKSPACES_KEY,
    queryFn: async ({ signal }) => {
      if (takeSignedOutHint()) throw new ApiError("PERMISSION_DENIED", "You are not signed in.");
      return (await call({ path: "/v2/workspaces/get", data: {} }, { signal })).data;
    },
    staleTime: 60_000,
    refetchOnWindowFocus: "always",
  });
}

export const WORKSPACES_KEY = ["workspaces"];

/** Returns whether the service marked this page as signed out, and clears the mark, which holds for one request. */
function takeSignedOutHint(): boolean {
  const session = document.querySelector<HTMLMetaElement>("meta[name=session]")?.content;
  clearSignedOutHint();
  return session === "none";
}

/** Clears the signed-out mark, which is outdated after signing in. */
export function clearSignedOutHint(): void {
  document.querySelector("meta[name=session]")?.remove();
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

/** Returns the workspace in the URL; undefined on a public page. */
export function useOptionalWorkspace(): Workspace | undefined {
  return useContext(WorkspaceContext);
}

/** Returns the workspace in the URL. */
export function useWorkspace(): Workspace {
  const workspace = useOptionalWorkspace();
  if (!workspace) throw new Error("useWorkspace needs a WorkspaceContext");
  return workspace;
}
