-- What an auth token allows: read, write and admin. Tokens that exist keep everything.
alter table auth_tokens add column scopes text[] not null default '{read,write,admin}';
