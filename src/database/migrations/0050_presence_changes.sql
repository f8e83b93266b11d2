alter table presence
  -- Whether the last heartbeat changed what readers see of the user, other than its time.
  add column is_changed boolean not null default true;
