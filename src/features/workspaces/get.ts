import Type from "typebox";
import { type Context, operation } from "../../contract/operation.ts";
import { findWorkspace, listReachedWorkspaces } from "./workspace-queries.ts";

const Workspace = Type.Object(
  {
    id: Type.String(),
    name: Type.String({ examples: ["Acme"] }),
    apiKey: Type.String(),
    ownerEmail: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "Workspace" },
);

/** Lists the caller's own workspace, or all that a session reaches. */
export const getWorkspaces = operation({
  path: "/v2/workspaces/get",
  summary: "Read the workspaces that the caller can access",
  description:
    "With API key and auth token this is their own workspace. In a session of the console it is every workspace " +
    "that the signed-in person owns, by the owner's email address; after signing in with `colloquy console` it " +
    "is every workspace. Workspaces are ordered oldest first.",
  message: "Workspaces retrieved.",
  scope: "read",
  request: Type.Object({}),
  response: Type.Array(Workspace),
  example: {},
  handle,
});

async function handle({ database, workspace, session }: Context) {
  const own = session ? undefined : await findWorkspace(database, { id: workspace.id });
  const found = session ? await listReachedWorkspaces(database, session.ownerAddress) : own ? [own] : [];
  return found.map(({ id, name, apiKey, ownerEmail }) => ({ id, name, apiKey, ownerEmail }));
}
