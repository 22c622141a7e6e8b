"""What people are told when they are not at the table: letters by mail, Web Push and webhooks."""
