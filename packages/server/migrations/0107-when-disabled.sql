-- When a person was disabled last. What the person let in before that stays shut out after they are enabled again.

alter table users add column disabled_at timestamptz;
