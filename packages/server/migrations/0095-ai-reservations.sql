-- What the ledger of the assistant holds open, so that no start and no end waits for another with the ledger's lock held.

-- Requests that are counted in `ai_usage` and not accepted yet. The transaction that accepts one deletes its row, so a row
-- that stays is a request to give back.
create table ai_reservations (
  org_id text not null,
  id text not null,
  -- where it is counted
  month timestamptz not null,
  minute timestamptz not null,
  reserved_at timestamptz not null,
  primary key (org_id, id)
);

-- Usage of invocations that ended, written with the end and added to `ai_usage` soon after; until then it counts from here.
create table ai_settlements (
  org_id text not null,
  id text not null,
  month timestamptz not null,
  minute timestamptz not null,
  tokens bigint not null,
  -- null if it is not known
  cost_usd numeric,
  is_refunded boolean not null,
  primary key (org_id, id)
);
