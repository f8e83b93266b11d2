-- Lists who has read a notification. Adding a notification does not write this index.
create index notification_readers on notification_recipients (organization_key, sequence, read_at, user_id)
  where read_at is not null;
