import type { UserDataKind } from "../erasure/user-data-kind.ts";

/** Data about the people who run a workspace, who are not its users: nothing is deleted with a user. */
export const workspaceData: UserDataKind = {
  kind: "workspaces",
  columns: {},
  kept: {
    "workspaces.name": "given by who runs the service",
    "workspaces.owner_email": "of who runs the workspace; changed there",
    "auth_tokens.name": "given by who runs the workspace",
    "login_links.owner_address": "of who runs the workspace; goes with the link, after 15 minutes",
    "login_links.continue_url": "given by who asks for the link; goes with it",
    "sessions.owner_address": "of who runs the workspace; goes with the session, after a week",
    "sessions.user_agent": "of the browser of who runs the workspace; goes with the session",
    "email_configs.settings": "the sender that the workspace has set; changed there",
  },
  steps: [],
};
