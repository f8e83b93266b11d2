alter table workspaces
  -- Whether pages must call with user tokens.
  add column require_jwt_token boolean not null default false,
  -- Whether the first user token that names an organization makes the user its editor.
  add column require_auto_org_user boolean not null default false,
  -- A setting for clients, which the service only stores.
  add column private_comments_enabled boolean not null default false;
