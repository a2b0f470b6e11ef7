-- What backs the sentences of an answer; removed with the contents of its invocation.
create table invocation_receipts (
  org_id text not null,
  invocation_id text not null,
  receipts json not null,
  primary key (org_id, invocation_id)
);
