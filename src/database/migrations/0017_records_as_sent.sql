-- The service used to write the fields that it adds into the stored records: "timestamp" into activities and
-- notifications, "lastUpdate" into editors, and "latestVersion" into recordings, each as the first field. It adds them
-- when it reads a record now.
update activities
set record = ('{' || substr(record::text, position(',' in record::text) + 1))::json,
  record_bytes = octet_length(record::text) - position(',' in record::text) + 1
where record::text like '{"timestamp":%';

update crdt_editors
set record = ('{' || substr(record::text, position(',' in record::text) + 1))::json,
  record_bytes = octet_length(record::text) - position(',' in record::text) + 1
where record::text like '{"lastUpdate":"%';

update notifications
set record = ('{' || substr(record::text, position(',' in record::text) + 1))::json,
  record_bytes = octet_length(record::text) - position(',' in record::text) + 1
where record::text like '{"timestamp":%';

update recordings
set record = ('{' || substr(record::text, position(',' in record::text) + 1))::json,
  record_bytes = octet_length(record::text) - position(',' in record::text) + 1
where record::text like '{"latestVersion":%';
