create table webhook_configs (
  workspace_id uuid primary key references workspaces,
  -- Settings of basic webhooks except the auth token.
  basic json not null default '{}',
  -- Auth token of basic webhooks, encrypted under SECRET_KEY and bound to the workspace. Null if none is set.
  auth_token bytea,
  -- Settings of advanced webhooks. Null before their first update.
  advanced json
);
