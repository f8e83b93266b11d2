-- The readers of events look every second for permissions that have just ended.
create index grants_expiring on grants (organization_key, expires_at) where expires_at is not null;
