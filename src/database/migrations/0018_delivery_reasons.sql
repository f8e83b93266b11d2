-- What `colloquy notification explain` needs to say why a user was not notified.

-- Whether the notification was for all users of the organization. Null if an earlier version wrote it.
alter table notifications add column notify_all boolean;

-- Time when the user unsubscribed from the organization's mails, in milliseconds since the epoch. Null unless this set
-- the email preference.
alter table notification_configs add column unsubscribed_at bigint;
