-- Time of the last failed attempt, at most an hour earlier than it was. After a long break, failures count anew. Null
-- if no attempt has failed since the column exists.
alter table webhook_endpoints add column last_failed_at bigint;
