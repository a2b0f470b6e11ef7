-- phase: expand
-- Whether the assistant of an organization says only what is backed by what it read.
alter table ai_policies add column receipts text not null default 'off' check (receipts in ('off', 'strict'));
