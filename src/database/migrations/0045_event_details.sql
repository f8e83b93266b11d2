-- The column events.user_id now also has the acting user of an event of another audience than `user`, if known.
alter table events
  -- What webhooks tell besides the records, such as the status before a change: no IDs of users and no content. Null if
  -- there is nothing.
  add column details json;
