import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";

export interface Workspace {
  id: string;
  name: string;
  apiKey: string;
  ownerEmail: string | null;
}

/** Those that this session may reach, the oldest first. Fails with PERMISSION_DENIED without a session. */
export function useWorkspaces(): UseQueryResult<Workspace[]> {
  return useQuery({
    queryKey: WORKSPACES_KEY,
    queryFn: async ({ signal }) => {
      if (takeSignedOutHint()) throw new ApiError("PERMISSION_DENIED", "Nobody is signed in.");
      return (await call<Workspace[]>({ path: "/v2/workspaces/get", data: {} }, { signal })).data;
    },
    staleTime: 60_000,
    refetchOnWindowFocus: "always",
  });
}

export const WORKSPACES_KEY = ["workspaces"];

/** Whether the service has said with the page that nobody is signed in. It holds for the first question alone. */
function takeSignedOutHint(): boolean {
  const told = document.querySelector<HTMLMetaElement>("meta[name=session]")?.content;
  clearSignedOutHint();
  return told === "none";
}

/** Somebody has signed in since the page was read. */
export function clearSignedOutHint(): void {
  document.querySelector("meta[name=session]")?.remove();
}

export const WorkspaceContext = createContext<Workspace | undefined>(undefined);

/** The one that the address names. */
export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error("a page is shown without its workspace");
  return workspace;
}
