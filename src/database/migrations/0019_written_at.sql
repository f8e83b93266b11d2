-- Callers may set the time of an activity or a notification, and created_at then is that time. Deletions go by the time
-- of writing, which is never earlier. written_at has it where the two differ; null means created_at, as in all rows of
-- earlier versions. Adding such a column rewrites no table and costs ordinary rows nothing.
alter table activities add column written_at bigint;
alter table notifications add column written_at bigint;
alter table notification_recipients add column written_at bigint;
