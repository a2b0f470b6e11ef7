-- Scorecards, their rules and what they find are entities too. The scorecard stays what decides; here is which entity
-- stands for which scorecard or rule, and which evaluated entities have results to be written anew.

create table scorecard_entities (
  org_id text not null,
  -- of `_scorecard` or `_rule`
  entity_key bigint not null,
  -- whose entities are evaluated
  blueprint_key bigint not null,
  scorecard text collate "C" not null,
  -- empty for the scorecard itself
  rule text collate "C" not null,
  primary key (org_id, entity_key),
  constraint scorecard_entities_subject unique (org_id, blueprint_key, scorecard, rule)
);

create table rule_result_marks (
  org_id text not null,
  entity_key bigint not null,
  primary key (org_id, entity_key)
);
