-- The settings of /v2/workspace/notificationconfig/update. Null before the first update.
alter table workspaces add column notification_config json;
