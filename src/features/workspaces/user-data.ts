import type { UserData } from "../user-data/user-data.ts";

/** Those who run the workspace are no users of it. */
export const workspaceData: UserData = {
  kind: "workspaces",
  columns: {},
  kept: {
    "workspaces.name": "given by who runs the service",
    "workspaces.owner_email": "of who runs the workspace; changed there",
    "auth_tokens.name": "given by who runs the workspace",
    "email_configs.settings": "the sender that the workspace has set; changed there",
  },
  steps: [],
};
