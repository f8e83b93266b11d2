-- The pairs of the access context, a JSON array of `field:value`. Null if there are none.
alter table notifications add column access_fields jsonb;
