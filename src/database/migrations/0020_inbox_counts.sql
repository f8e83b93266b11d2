-- Counts what is in an inbox although it was read. The unread notifications of an inbox are all others in it, which the
-- indexes notification_lists count, so adding a notification does not write this index.
create index notification_lists_read on notification_recipients (organization_key, user_id, document_id, location_id)
  where in_list and read_at is not null;
