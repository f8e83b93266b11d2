-- Audit entries name the target of the act in `target`, which was `concerned`. A quoted name followed by a colon is a
-- field: inside of strings, quotes are escaped.
update audit_entries
set record = replace(record::text, '"concerned":', '"target":')::json,
  record_bytes = octet_length(replace(record::text, '"concerned":', '"target":'));
