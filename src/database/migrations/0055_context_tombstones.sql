-- Deleted annotations that only their access contexts hid from users have tombstones too. These hide what was written
-- about their comments while access contexts are compared.
alter table private_annotation_tombstones add column is_private boolean not null default true;
