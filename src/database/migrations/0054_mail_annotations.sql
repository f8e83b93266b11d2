alter table mails
  -- IDs of the annotations that the mail is about. Empty in mails of earlier versions.
  add column annotation_ids text[] collate "C" not null default '{}';
