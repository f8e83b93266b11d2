create index webhook_messages_created_at on webhook_messages (created_at);
