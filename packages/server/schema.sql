-- The database after every migration, read from its catalogs. Generated; change a migration instead.

create table action_run_approvals (
  org_id text not null,
  run_id text not null,
  user_id text not null,
  gate text not null,
  state text not null,
  description text,
  at timestamp with time zone not null,
  constraint action_run_approvals_pkey PRIMARY KEY (org_id, run_id, gate, user_id),
  constraint action_run_approvals_gate_check CHECK ((gate = ANY (ARRAY['DRAFT'::text, 'APPROVAL'::text]))),
  constraint action_run_approvals_state_check CHECK ((state = ANY (ARRAY['APPROVED'::text, 'DECLINED'::text]))),
  constraint action_run_approvals_org_id_run_id_fkey FOREIGN KEY (org_id, run_id) REFERENCES action_runs(org_id, id) ON DELETE CASCADE
);

create table action_run_logs (
  org_id text not null,
  run_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  message text not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint action_run_logs_pkey PRIMARY KEY (org_id, run_id, key),
  constraint action_run_logs_org_id_run_id_fkey FOREIGN KEY (org_id, run_id) REFERENCES action_runs(org_id, id) ON DELETE CASCADE
);

create table action_runs (
  org_id text not null,
  id text not null,
  key bigint generated always as identity not null,
  status text not null,
  status_label text,
  action_key bigint,
  action_identifier text not null,
  action jsonb not null,
  blueprint text,
  entity text,
  properties jsonb not null,
  source text not null,
  link jsonb default '[]'::jsonb not null,
  summary text,
  external_run_id text,
  payload jsonb,
  response jsonb,
  draft jsonb,
  required_approval jsonb,
  event jsonb,
  installation_id text,
  claimed_until timestamp with time zone,
  acknowledged_at timestamp with time zone,
  dispatched_at timestamp with time zone,
  created_by text not null,
  created_by_kind text not null,
  impersonated_by text,
  updated_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  depth integer default 0 not null,
  followed jsonb,
  caused_by text,
  chain_depth integer default 0 not null,
  event_id text,
  invocation jsonb,
  authority jsonb,
  requested_with jsonb,
  edited_by text[] default '{}'::text[] not null,
  decision jsonb,
  label text[],
  constraint action_runs_pkey PRIMARY KEY (org_id, id),
  constraint action_runs_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'WAITING_FOR_APPROVAL'::text, 'IN_PROGRESS'::text, 'SUCCESS'::text, 'FAILURE'::text, 'DECLINED'::text])))
);
CREATE INDEX action_runs_by_action ON public.action_runs USING btree (org_id, action_identifier, key);
CREATE INDEX action_runs_by_entity ON public.action_runs USING btree (org_id, blueprint, entity, key) WHERE (entity IS NOT NULL);
CREATE UNIQUE INDEX action_runs_by_event ON public.action_runs USING btree (org_id, action_key, event_id) WHERE (event_id IS NOT NULL);
CREATE INDEX action_runs_by_external_id ON public.action_runs USING btree (org_id, external_run_id) WHERE (external_run_id IS NOT NULL);
CREATE INDEX action_runs_by_person ON public.action_runs USING btree (org_id, created_by, key);
CREATE INDEX action_runs_by_time ON public.action_runs USING btree (org_id, key);
CREATE INDEX action_runs_drafts ON public.action_runs USING btree (org_id, key) WHERE (status = 'DRAFT'::text);
CREATE INDEX action_runs_ended ON public.action_runs USING btree (org_id, ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX action_runs_followed ON public.action_runs USING btree (org_id, COALESCE((followed ->> 'service'::text), 'GITHUB'::text), ((followed ->> 'org'::text)), ((followed ->> 'repo'::text)), ((followed ->> 'id'::text))) WHERE ((followed ->> 'id'::text) IS NOT NULL);
CREATE UNIQUE INDEX action_runs_of_invocation ON public.action_runs USING btree (org_id, ((invocation ->> 'id'::text)), ((invocation ->> 'call'::text))) WHERE (invocation IS NOT NULL);
CREATE INDEX action_runs_pending ON public.action_runs USING btree (org_id, installation_id, key) WHERE ((installation_id IS NOT NULL) AND (status = 'IN_PROGRESS'::text) AND (acknowledged_at IS NULL));

create table actions (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  identifier text not null,
  kind text not null,
  blueprint_key bigint,
  definition jsonb not null,
  permissions jsonb,
  version integer default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  listens_to text generated always as (
CASE
    WHEN ((kind = 'automation'::text) AND (COALESCE((definition ->> 'publish'::text), 'true'::text) <> 'false'::text)) THEN (definition #>> '{trigger,event,type}'::text[])
    ELSE NULL::text
END) stored,
  listens_about text generated always as (COALESCE((definition #>> '{trigger,event,actionIdentifier}'::text[]), (definition #>> '{trigger,event,propertyIdentifier}'::text[]))) stored,
  authority jsonb,
  text_authors text[],
  constraint actions_pkey PRIMARY KEY (org_id, key),
  constraint actions_identifier UNIQUE (org_id, identifier),
  constraint actions_kind_check CHECK ((kind = ANY (ARRAY['self-service'::text, 'automation'::text]))),
  constraint actions_org_id_blueprint_key_fkey FOREIGN KEY (org_id, blueprint_key) REFERENCES blueprints(org_id, key)
);
CREATE INDEX actions_by_blueprint ON public.actions USING btree (org_id, blueprint_key) WHERE (blueprint_key IS NOT NULL);
CREATE INDEX actions_listening ON public.actions USING btree (org_id, listens_to, blueprint_key) WHERE (listens_to IS NOT NULL);

create table ai_budget_days (
  org_id text not null,
  scope text not null,
  subject text not null,
  day text not null,
  requests bigint default 0 not null,
  tokens bigint default 0 not null,
  usd numeric default 0 not null,
  uncosted bigint default 0 not null,
  constraint ai_budget_days_pkey PRIMARY KEY (org_id, scope, subject, day)
);

create table ai_budget_warnings (
  org_id text not null,
  scope text not null,
  subject text not null,
  period text not null,
  starts_on text not null,
  state text not null,
  warned_at timestamp with time zone not null,
  constraint ai_budget_warnings_pkey PRIMARY KEY (org_id, scope, subject, period, starts_on, state),
  constraint ai_budget_warnings_state_check CHECK ((state = ANY (ARRAY['near'::text, 'spent'::text])))
);

create table ai_budgets (
  org_id text not null,
  scope text not null,
  subject text not null,
  period text not null,
  requests bigint,
  tokens bigint,
  usd numeric,
  action text not null,
  warn_at numeric not null,
  counted_since text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint ai_budgets_pkey PRIMARY KEY (org_id, scope, subject, period),
  constraint ai_budgets_action_check CHECK ((action = ANY (ARRAY['stop'::text, 'warn'::text]))),
  constraint ai_budgets_check CHECK ((num_nonnulls(requests, tokens, usd) > 0)),
  constraint ai_budgets_period_check CHECK ((period = ANY (ARRAY['day'::text, 'month'::text]))),
  constraint ai_budgets_scope_check CHECK ((scope = ANY (ARRAY['organization'::text, 'team'::text, 'user'::text, 'agent'::text])))
);

create table ai_charges (
  org_id text not null,
  id text not null,
  invocation text,
  day text not null,
  subjects text[] not null,
  tokens bigint not null,
  usd numeric not null,
  constraint ai_charges_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX ai_charges_by_invocation ON public.ai_charges USING btree (org_id, invocation) WHERE (invocation IS NOT NULL);

create table ai_cutover_steps (
  org_id text not null,
  key bigint generated always as identity not null,
  at timestamp with time zone not null,
  kind text not null,
  subject text not null,
  details jsonb not null,
  constraint ai_cutover_steps_pkey PRIMARY KEY (org_id, key),
  constraint ai_cutover_steps_kind_check CHECK ((kind = ANY (ARRAY['stage'::text, 'schema'::text, 'agent'::text, 'widget'::text])))
);

create table ai_memory_notes (
  org_id text not null,
  user_key text not null,
  id text not null,
  content text not null,
  invocation text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint ai_memory_notes_pkey PRIMARY KEY (org_id, id),
  constraint ai_memory_notes_org_id_user_key_fkey FOREIGN KEY (org_id, user_key) REFERENCES users(org_id, key) ON DELETE CASCADE
);
CREATE INDEX ai_memory_notes_by_person ON public.ai_memory_notes USING btree (org_id, user_key, created_at);

create table ai_memory_people (
  org_id text not null,
  user_key text not null,
  is_on boolean not null,
  updated_at timestamp with time zone not null,
  constraint ai_memory_people_pkey PRIMARY KEY (org_id, user_key),
  constraint ai_memory_people_org_id_user_key_fkey FOREIGN KEY (org_id, user_key) REFERENCES users(org_id, key) ON DELETE CASCADE
);

create table ai_memory_settings (
  org_id text not null,
  is_enabled boolean not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint ai_memory_settings_pkey PRIMARY KEY (org_id)
);

create table ai_old_calls (
  org_id text not null,
  caller text not null,
  endpoint text not null,
  agent text not null,
  calls bigint not null,
  last_at timestamp with time zone not null,
  constraint ai_old_calls_pkey PRIMARY KEY (org_id, caller, endpoint, agent),
  constraint ai_old_calls_endpoint_check CHECK ((endpoint = ANY (ARRAY['router'::text, 'agent'::text])))
);

create table ai_policies (
  org_id text not null,
  injection text not null,
  observed_until timestamp with time zone,
  risks jsonb default '{}'::jsonb not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  receipts text default 'off'::text not null,
  constraint ai_policies_pkey PRIMARY KEY (org_id),
  constraint ai_policies_injection_check CHECK ((injection = ANY (ARRAY['enforce'::text, 'observe'::text]))),
  constraint ai_policies_receipts_check CHECK ((receipts = ANY (ARRAY['off'::text, 'strict'::text])))
);

create table ai_reservations (
  org_id text not null,
  id text not null,
  month timestamp with time zone not null,
  minute timestamp with time zone not null,
  reserved_at timestamp with time zone not null,
  constraint ai_reservations_pkey PRIMARY KEY (org_id, id)
);

create table ai_settlements (
  org_id text not null,
  id text not null,
  month timestamp with time zone not null,
  minute timestamp with time zone not null,
  tokens bigint not null,
  cost_usd numeric,
  is_refunded boolean not null,
  charge text,
  constraint ai_settlements_pkey PRIMARY KEY (org_id, id)
);

create table ai_standing_approvals (
  org_id text not null,
  id text not null,
  agent text not null,
  agent_version text not null,
  action_id text not null,
  action text not null,
  action_version bigint not null,
  entity jsonb,
  inputs jsonb not null,
  max_per_hour integer not null,
  expires_at timestamp with time zone not null,
  given_at timestamp with time zone not null,
  given_by text not null,
  revoked_at timestamp with time zone,
  revoked_by text,
  constraint ai_standing_approvals_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX ai_standing_approvals_by_agent ON public.ai_standing_approvals USING btree (org_id, agent, given_at);

create table ai_standing_uses (
  org_id text not null,
  approval_id text not null,
  run_id text not null,
  used_at timestamp with time zone not null,
  constraint ai_standing_uses_pkey PRIMARY KEY (org_id, approval_id, run_id)
);
CREATE INDEX ai_standing_uses_by_time ON public.ai_standing_uses USING btree (org_id, approval_id, used_at);

create table ai_usage (
  org_id text not null,
  period text not null,
  starts_at timestamp with time zone not null,
  requests bigint default 0 not null,
  tokens bigint default 0 not null,
  cost_usd numeric default 0 not null,
  uncosted bigint default 0 not null,
  constraint ai_usage_pkey PRIMARY KEY (org_id, period, starts_at),
  constraint ai_usage_period_check CHECK ((period = ANY (ARRAY['month'::text, 'minute'::text])))
);

create table api_tokens (
  org_id text not null,
  id text not null,
  user_key text,
  client_id text,
  name text not null,
  scopes text[],
  hint text not null,
  secret_id text not null,
  previous_secret_id text,
  previous_until timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_tokens_pkey PRIMARY KEY (org_id, id),
  constraint api_tokens_check CHECK (((user_key IS NULL) <> (client_id IS NULL)))
);
CREATE UNIQUE INDEX api_tokens_name ON public.api_tokens USING btree (org_id, COALESCE(user_key, client_id), name) WHERE (revoked_at IS NULL);

create table blueprints (
  org_id text not null,
  key bigint generated always as identity not null,
  identifier text not null,
  definition jsonb not null,
  permissions jsonb,
  is_system boolean default false not null,
  version bigint default 1 not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  has_changelog boolean generated always as (COALESCE((((definition #>> '{changelogDestination,type}'::text[]) = 'WEBHOOK'::text) AND (COALESCE((definition #>> '{changelogDestination,agent}'::text[]), 'false'::text) <> 'true'::text)), false)) stored,
  has_broker_changelog boolean generated always as (COALESCE((((definition #>> '{changelogDestination,type}'::text[]) = 'KAFKA'::text) OR (COALESCE((definition #>> '{changelogDestination,agent}'::text[]), 'false'::text) = 'true'::text)), false)) stored,
  deletion_id text,
  text_authors text[],
  constraint blueprints_pkey PRIMARY KEY (org_id, key),
  constraint blueprints_identifier UNIQUE (org_id, identifier)
);

create table campaign_days (
  org_id text not null,
  campaign text not null,
  day text not null,
  total integer not null,
  reached integer not null,
  constraint campaign_days_pkey PRIMARY KEY (org_id, campaign, day),
  constraint campaign_days_org_id_campaign_fkey FOREIGN KEY (org_id, campaign) REFERENCES campaigns(org_id, identifier) ON DELETE CASCADE
);

create table campaign_reminder_people (
  org_id text not null,
  campaign text not null,
  due_date text not null,
  step integer not null,
  user_key text not null,
  mail text not null,
  constraint campaign_reminder_people_pkey PRIMARY KEY (org_id, campaign, due_date, step, user_key),
  constraint campaign_reminder_people_mail_check CHECK ((mail = ANY (ARRAY['none'::text, 'waiting'::text, 'sent'::text, 'failed'::text]))),
  constraint campaign_reminder_people_org_id_campaign_due_date_step_fkey FOREIGN KEY (org_id, campaign, due_date, step) REFERENCES campaign_reminders(org_id, campaign, due_date, step) ON DELETE CASCADE,
  constraint campaign_reminder_people_org_id_user_key_fkey FOREIGN KEY (org_id, user_key) REFERENCES users(org_id, key) ON DELETE CASCADE
);
CREATE INDEX campaign_reminder_people_by_user ON public.campaign_reminder_people USING btree (org_id, user_key);

create table campaign_reminders (
  org_id text not null,
  campaign text not null,
  due_date text not null,
  step integer not null,
  at timestamp with time zone not null,
  constraint campaign_reminders_pkey PRIMARY KEY (org_id, campaign, due_date, step),
  constraint campaign_reminders_org_id_campaign_fkey FOREIGN KEY (org_id, campaign) REFERENCES campaigns(org_id, identifier) ON DELETE CASCADE
);

create table campaigns (
  org_id text not null,
  identifier text not null,
  blueprint_key bigint not null,
  status text not null,
  due_date text not null,
  definition jsonb not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint campaigns_pkey PRIMARY KEY (org_id, identifier),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'done'::text, 'archived'::text]))),
  constraint campaigns_org_id_blueprint_key_fkey FOREIGN KEY (org_id, blueprint_key) REFERENCES blueprints(org_id, key) ON DELETE CASCADE
);
CREATE INDEX campaigns_by_blueprint ON public.campaigns USING btree (org_id, blueprint_key);

create table changelog_destinations (
  org_id text not null,
  id text not null,
  type text not null,
  url text,
  resources jsonb,
  is_enabled boolean default true not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  authority jsonb,
  constraint changelog_destinations_pkey PRIMARY KEY (org_id, id),
  constraint changelog_destinations_type_check CHECK ((type = ANY (ARRAY['WEBHOOK'::text, 'KAFKA'::text]))),
  constraint changelog_destinations_url_check CHECK (((url IS NULL) = (type = 'KAFKA'::text)))
);

create table changelog_receivers (
  org_id text not null,
  target text not null,
  busy_until timestamp with time zone,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  next_attempt_at timestamp with time zone,
  last_error text,
  last_sent_at timestamp with time zone,
  constraint changelog_receivers_pkey PRIMARY KEY (org_id, target)
);

create table checklists (
  org_id text not null,
  is_dismissed boolean default false not null,
  dismissed_items text[] default '{}'::text[] not null,
  constraint checklists_pkey PRIMARY KEY (org_id)
);

create table conversations (
  org_id text not null,
  id text not null,
  owner text not null,
  title text not null,
  title_by text not null,
  head_id text not null,
  turns integer not null,
  agent text,
  pinned_at timestamp with time zone,
  fence_mark text not null,
  created_at timestamp with time zone not null,
  asked_at timestamp with time zone not null,
  shared jsonb,
  base_id text,
  constraint conversations_pkey PRIMARY KEY (org_id, id),
  constraint conversations_title_by_check CHECK ((title_by = ANY (ARRAY['question'::text, 'person'::text])))
);
CREATE INDEX conversations_of_owner ON public.conversations USING btree (org_id, owner, asked_at DESC, id);

create table credential_directory (
  client_id text not null,
  org_id text not null,
  constraint credential_directory_pkey PRIMARY KEY (client_id)
);

create table credentials (
  org_id text not null,
  client_id text not null,
  secret_hash text not null,
  name text not null,
  role text not null,
  user_key text,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  scopes text[],
  secret_id text default ''::text not null,
  previous_secret_hash text,
  previous_secret_id text,
  previous_until timestamp with time zone,
  last_used_at timestamp with time zone,
  updated_at timestamp with time zone,
  sealed_secret text,
  bound_to text,
  constraint credentials_pkey PRIMARY KEY (org_id, client_id),
  constraint credentials_role_check CHECK ((role = ANY (ARRAY['Admin'::text, 'Member'::text])))
);

create table data_migration_failures (
  org_id text not null,
  migration_id text not null,
  entity_key bigint not null,
  identifier text not null,
  code text not null,
  message text not null,
  details jsonb,
  constraint data_migration_failures_pkey PRIMARY KEY (org_id, migration_id, entity_key)
);

create table data_migration_images (
  org_id text not null,
  migration_id text not null,
  entity_key bigint not null,
  identifier text not null,
  source_key bigint not null,
  before jsonb,
  version bigint not null,
  undone_by text,
  constraint data_migration_images_pkey PRIMARY KEY (org_id, migration_id, entity_key)
);

create table data_migrations (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  kind text not null,
  source_blueprint text not null,
  blueprint_key bigint not null,
  mapping jsonb default '{}'::jsonb not null,
  status text not null,
  delete_blueprint boolean default false not null,
  success_count bigint default 0 not null,
  failure_count bigint default 0 not null,
  last_key bigint default 0 not null,
  until_key bigint default 0 not null,
  message text,
  actor jsonb not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  target_blueprint text,
  target_key bigint,
  origin_id text,
  total_count bigint default 0 not null,
  reason text,
  constraint data_migrations_pkey PRIMARY KEY (org_id, id),
  constraint data_migrations_kind_check CHECK ((kind = ANY (ARRAY['wipe'::text, 'map'::text, 'undo'::text]))),
  constraint data_migrations_status_check CHECK ((status = ANY (ARRAY['INITIALIZING'::text, 'PENDING'::text, 'RUNNING'::text, 'PENDING_CANCELLATION'::text, 'COMPLETED'::text, 'FAILURE'::text, 'CANCELLED'::text])))
);
CREATE INDEX data_migrations_by_time ON public.data_migrations USING btree (org_id, key);
CREATE INDEX data_migrations_going_on ON public.data_migrations USING btree (org_id, blueprint_key) WHERE (status <> ALL (ARRAY['COMPLETED'::text, 'FAILURE'::text, 'CANCELLED'::text]));

create table derived_marks (
  org_id text not null,
  entity_key bigint not null,
  name text not null,
  blueprint_key bigint not null,
  constraint derived_marks_pkey PRIMARY KEY (org_id, entity_key, name)
);

create table entities (
  org_id text not null,
  blueprint_key bigint not null,
  key bigint generated always as identity not null,
  identifier text not null,
  title text,
  icon text,
  properties jsonb default '{}'::jsonb not null,
  relations jsonb default '{}'::jsonb not null,
  derived jsonb default '{}'::jsonb not null,
  own_team_refs text[] default '{}'::text[] not null,
  team_refs text[] default '{}'::text[] not null,
  version bigint default 1 not null,
  datasource text not null,
  seen_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  scorecards jsonb default '{}'::jsonb not null,
  text_authors text[],
  constraint entities_pkey PRIMARY KEY (org_id, key),
  constraint entities_identifier UNIQUE (org_id, blueprint_key, identifier)
);
CREATE INDEX entities_by_blueprint ON public.entities USING btree (org_id, blueprint_key, key);
CREATE INDEX entities_by_datasource ON public.entities USING btree (org_id, datasource COLLATE "C", key);
CREATE INDEX entities_by_team ON public.entities USING gin (team_refs);
CREATE INDEX entities_by_words ON public.entities USING gin ((((setweight(to_tsvector('simple'::regconfig, translate(COALESCE(title, ''::text), '-_./:@\=+'::text, '         '::text)), 'A'::"char") || setweight(to_tsvector('simple'::regconfig, translate(identifier, '-_./:@\=+'::text, '         '::text)), 'B'::"char")) || array_to_tsvector(ARRAY[('=org:'::text || org_id)]))));
CREATE INDEX entities_with_own_teams ON public.entities USING btree (org_id, blueprint_key, key) WHERE (own_team_refs <> '{}'::text[]);

create table entity_relations (
  org_id text not null,
  source_key bigint not null,
  relation text not null,
  target_key bigint not null,
  source_blueprint_key bigint not null,
  "position" integer not null,
  constraint entity_relations_pkey PRIMARY KEY (org_id, source_key, relation, target_key)
);
CREATE INDEX entity_relations_by_target ON public.entity_relations USING btree (org_id, target_key, relation, source_key);

create table event_deliveries (
  org_id text not null,
  consumer text not null,
  target text not null,
  event_key bigint not null,
  constraint event_deliveries_pkey PRIMARY KEY (org_id, consumer, event_key, target)
);
CREATE INDEX event_deliveries_by_target ON public.event_deliveries USING btree (org_id, consumer, target, event_key);

create table expired_timers (
  org_id text not null,
  entity_key bigint not null,
  property text not null,
  value text not null,
  blueprint_key bigint not null,
  noted_at timestamp with time zone not null,
  constraint expired_timers_pkey PRIMARY KEY (org_id, entity_key, property)
);
CREATE INDEX expired_timers_by_age ON public.expired_timers USING btree (org_id, blueprint_key, noted_at);

create table favorites (
  org_id text not null,
  user_key text not null,
  targets jsonb not null,
  constraint favorites_pkey PRIMARY KEY (org_id, user_key),
  constraint favorites_org_id_user_key_fkey FOREIGN KEY (org_id, user_key) REFERENCES users(org_id, key) ON DELETE CASCADE
);

create table installation (
  is_only boolean default true not null,
  key_check text not null,
  constraint installation_pkey PRIMARY KEY (is_only),
  constraint installation_is_only_check CHECK (is_only)
);

create table installs (
  org_id text not null,
  installation_id text not null,
  type text not null,
  title text not null,
  settings jsonb not null,
  secrets text[] not null,
  resync_minutes integer not null,
  client_id text not null,
  created jsonb not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint installs_pkey PRIMARY KEY (org_id, installation_id)
);

create table integration_cursors (
  org_id text not null,
  integration_key bigint not null,
  kind text not null,
  index text not null,
  cursor jsonb not null,
  updated_at timestamp with time zone not null,
  constraint integration_cursors_pkey PRIMARY KEY (org_id, integration_key, kind, index),
  constraint integration_cursors_org_id_integration_key_fkey FOREIGN KEY (org_id, integration_key) REFERENCES integrations(org_id, key) ON DELETE CASCADE
);

create table integration_delete_guards (
  org_id text not null,
  integration_key bigint not null,
  threshold double precision not null,
  began_at timestamp with time zone,
  entities_before integer default 0 not null,
  entities_deleted integer default 0 not null,
  question jsonb,
  lifted_until timestamp with time zone,
  constraint integration_delete_guards_pkey PRIMARY KEY (org_id, integration_key),
  constraint integration_delete_guards_org_id_integration_key_fkey FOREIGN KEY (org_id, integration_key) REFERENCES integrations(org_id, key) ON DELETE CASCADE
);

create table integration_examples (
  org_id text not null,
  integration_key bigint not null,
  kind text not null,
  examples jsonb not null,
  updated_at timestamp with time zone not null,
  constraint integration_examples_pkey PRIMARY KEY (org_id, integration_key, kind),
  constraint integration_examples_org_id_integration_key_fkey FOREIGN KEY (org_id, integration_key) REFERENCES integrations(org_id, key) ON DELETE CASCADE
);

create table integration_logs (
  org_id text not null,
  integration_key bigint not null,
  key bigint generated always as identity not null,
  id text not null,
  level text not null,
  message text not null,
  event_id text,
  at timestamp with time zone not null,
  attributes jsonb not null,
  constraint integration_logs_pkey PRIMARY KEY (org_id, integration_key, key),
  constraint integration_logs_level_check CHECK ((level = ANY (ARRAY['DEBUG'::text, 'INFO'::text, 'WARNING'::text, 'ERROR'::text, 'FATAL'::text]))),
  constraint integration_logs_org_id_integration_key_fkey FOREIGN KEY (org_id, integration_key) REFERENCES integrations(org_id, key) ON DELETE CASCADE
);
CREATE INDEX integration_logs_by_time ON public.integration_logs USING btree (org_id, integration_key, at, key);

create table integration_syncs (
  org_id text not null,
  integration_key bigint not null,
  event_id text not null,
  kind_identifier text not null,
  sync_state text not null,
  metrics jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint integration_syncs_pkey PRIMARY KEY (org_id, integration_key, event_id, kind_identifier),
  constraint integration_syncs_org_id_integration_key_fkey FOREIGN KEY (org_id, integration_key) REFERENCES integrations(org_id, key) ON DELETE CASCADE
);

create table integrations (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  installation_id text not null,
  title text,
  version text,
  app_type text,
  config jsonb,
  changelog_destination jsonb,
  details jsonb default '{}'::jsonb not null,
  resync_state jsonb,
  resync_request_id text,
  resync_requested_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  authority jsonb,
  constraint integrations_pkey PRIMARY KEY (org_id, key),
  constraint integrations_installation UNIQUE (org_id, installation_id),
  constraint integrations_org_id_id_key UNIQUE (org_id, id)
);

create table invitations (
  org_id text not null,
  user_key text not null,
  invited_by text not null,
  invited_at timestamp with time zone not null,
  created_user boolean not null,
  mail text not null,
  mail_at timestamp with time zone,
  mail_problem text,
  constraint invitations_pkey PRIMARY KEY (org_id, user_key),
  constraint invitations_mail_check CHECK ((mail = ANY (ARRAY['none'::text, 'waiting'::text, 'sent'::text, 'failed'::text])))
);

create table invocation_egress (
  org_id text not null,
  invocation_id text not null,
  call_id text not null,
  server text not null,
  tool text not null,
  rule text not null,
  is_observed boolean not null,
  arguments jsonb not null,
  sent_at timestamp with time zone not null,
  constraint invocation_egress_pkey PRIMARY KEY (org_id, invocation_id, call_id)
);

create table invocation_events (
  org_id text not null,
  invocation_id text not null,
  first_sequence integer not null,
  last_sequence integer not null,
  events json not null,
  constraint invocation_events_pkey PRIMARY KEY (org_id, invocation_id, first_sequence)
);

create table invocation_receipts (
  org_id text not null,
  invocation_id text not null,
  receipts json not null,
  constraint invocation_receipts_pkey PRIMARY KEY (org_id, invocation_id)
);

create table invocations (
  org_id text not null,
  id text not null,
  state text not null,
  asked_by text not null,
  request_hash text not null,
  prompt text not null,
  labels jsonb default '{}'::jsonb not null,
  idempotency_key text,
  agent text,
  provider text not null,
  model text not null,
  prompt_version text not null,
  response text,
  error_code text,
  error_message text,
  usage jsonb,
  cancelled_by text,
  runner text not null,
  heartbeat_at timestamp with time zone not null,
  asked_at timestamp with time zone not null,
  replied_at timestamp with time zone,
  content_removed_at timestamp with time zone,
  sweep_tries smallint default 0 not null,
  label text[],
  conversation_id text,
  parent_id text,
  replaces_id text,
  turn integer,
  context_usage jsonb,
  recalled jsonb,
  constraint invocations_pkey PRIMARY KEY (org_id, id),
  constraint invocations_idempotency_key UNIQUE (org_id, asked_by, idempotency_key),
  constraint invocations_state_check CHECK ((state = ANY (ARRAY['running'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX invocations_by_agent ON public.invocations USING btree (org_id, agent, asked_at) WHERE (agent IS NOT NULL);
CREATE INDEX invocations_by_person ON public.invocations USING btree (org_id, asked_by, asked_at);
CREATE INDEX invocations_by_time ON public.invocations USING btree (org_id, asked_at);
CREATE INDEX invocations_conversation ON public.invocations USING btree (org_id, conversation_id, turn) WHERE (conversation_id IS NOT NULL);
CREATE INDEX invocations_ended_by_agent ON public.invocations USING btree (org_id, agent, asked_at) WHERE (state <> 'running'::text);
CREATE INDEX invocations_running ON public.invocations USING btree (heartbeat_at) WHERE (state = 'running'::text);
CREATE INDEX invocations_with_content ON public.invocations USING btree (org_id, replied_at) WHERE (content_removed_at IS NULL);

create table job_schedules (
  name text not null,
  next_run_at timestamp with time zone not null,
  constraint job_schedules_pkey PRIMARY KEY (name)
);

create table jobs (
  org_id text not null,
  id text not null,
  name text not null,
  input jsonb not null,
  dedupe_key text,
  state text default 'waiting'::text not null,
  run_at timestamp with time zone not null,
  attempt integer default 0 not null,
  attempts_max integer not null,
  lease text,
  locked_until timestamp with time zone,
  last_error jsonb,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  traceparent text,
  constraint jobs_pkey PRIMARY KEY (org_id, id),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'dead'::text])))
);
CREATE INDEX jobs_dead ON public.jobs USING btree (org_id, created_at) WHERE (state = 'dead'::text);
CREATE INDEX jobs_running ON public.jobs USING btree (locked_until) WHERE (state = 'running'::text);
CREATE INDEX jobs_waiting ON public.jobs USING btree (run_at) WHERE (state = 'waiting'::text);
CREATE INDEX jobs_waiting_by_key ON public.jobs USING btree (org_id, name, dedupe_key) WHERE ((state = 'waiting'::text) AND (dedupe_key IS NOT NULL));

create table journal (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  at timestamp with time zone not null,
  event text not null,
  action text not null,
  status text default 'SUCCESS'::text not null,
  resource_type text not null,
  identifier text not null,
  context jsonb default '{}'::jsonb not null,
  actor_id text not null,
  actor_kind text not null,
  origin text not null,
  datasource text not null,
  message text,
  before jsonb,
  after jsonb,
  additional_data jsonb,
  constraint journal_pkey PRIMARY KEY (org_id, key),
  constraint journal_action_check CHECK ((action = ANY (ARRAY['CREATE'::text, 'UPDATE'::text, 'DELETE'::text, 'OTHER'::text, 'TIMER_EXPIRED'::text]))),
  constraint journal_status_check CHECK ((status = ANY (ARRAY['SUCCESS'::text, 'FAILURE'::text])))
);
CREATE INDEX journal_by_blueprint ON public.journal USING btree (org_id, ((context ->> 'blueprint'::text)), at, key) WHERE ((context ->> 'blueprint'::text) IS NOT NULL);
CREATE INDEX journal_by_deletion ON public.journal USING btree (org_id, ((context ->> 'blueprint'::text)), at, key) WHERE ((resource_type = 'entity'::text) AND (status = 'SUCCESS'::text) AND (action = 'DELETE'::text));
CREATE INDEX journal_by_entity ON public.journal USING btree (org_id, ((context ->> 'entity'::text)), at, key) WHERE ((context ->> 'entity'::text) IS NOT NULL);
CREATE INDEX journal_by_failure ON public.journal USING btree (org_id, at, key) WHERE (status = 'FAILURE'::text);
CREATE INDEX journal_by_identifier ON public.journal USING btree (org_id, identifier, at, key);
CREATE INDEX journal_by_lost_name ON public.journal USING btree (org_id, ((context ->> 'blueprint'::text)), COALESCE((context ->> 'renamedFrom'::text), (context ->> 'entity'::text)), at, key) WHERE ((resource_type = 'entity'::text) AND (status = 'SUCCESS'::text) AND ((action = 'DELETE'::text) OR ((context ->> 'renamedFrom'::text) IS NOT NULL)));
CREATE INDEX journal_by_new_name ON public.journal USING btree (org_id, ((context ->> 'blueprint'::text)), ((context ->> 'entity'::text)), at, key) WHERE ((resource_type = 'entity'::text) AND (status = 'SUCCESS'::text) AND ((context ->> 'renamedFrom'::text) IS NOT NULL));
CREATE INDEX journal_by_person ON public.journal USING btree (org_id, actor_id, at, key) WHERE (actor_kind = 'person'::text);
CREATE INDEX journal_by_run ON public.journal USING btree (org_id, ((context ->> 'runId'::text)), at, key) WHERE ((context ->> 'runId'::text) IS NOT NULL);
CREATE INDEX journal_by_time ON public.journal USING btree (org_id, at, key);

create table llm_defaults (
  org_id text not null,
  provider text not null,
  model text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint llm_defaults_pkey PRIMARY KEY (org_id)
);

create table llm_providers (
  org_id text not null,
  provider text not null,
  is_enabled boolean not null,
  config jsonb not null,
  models jsonb not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint llm_providers_pkey PRIMARY KEY (org_id, provider)
);

create table mcp_server_tools (
  org_id text not null,
  server text not null,
  name text not null,
  definition jsonb not null,
  hash text not null,
  claims_read_only boolean not null,
  warnings text[] default '{}'::text[] not null,
  is_present boolean default true not null,
  decision text,
  decided_hash text,
  decided_definition jsonb,
  is_read_only boolean default false not null,
  decided_at timestamp with time zone,
  decided_by text,
  constraint mcp_server_tools_pkey PRIMARY KEY (org_id, server, name),
  constraint mcp_server_tools_decision_check CHECK ((decision = ANY (ARRAY['approve'::text, 'decline'::text]))),
  constraint mcp_server_tools_org_id_server_fkey FOREIGN KEY (org_id, server) REFERENCES mcp_servers(org_id, identifier) ON DELETE CASCADE
);

create table mcp_servers (
  org_id text not null,
  identifier text not null,
  title text,
  url text not null,
  sealed_headers text,
  header_names text[] default '{}'::text[] not null,
  is_enabled boolean default true not null,
  rights jsonb not null,
  protocol_version text,
  checked_at timestamp with time zone,
  problem text,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint mcp_servers_pkey PRIMARY KEY (org_id, identifier)
);

create table notices (
  org_id text not null,
  user_key text not null,
  id text not null,
  key bigint generated always as identity not null,
  about text not null,
  workflow text not null,
  workflow_title text,
  run_id text not null,
  started_by text not null,
  subject text not null,
  body text,
  link text,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  dismissed_at timestamp with time zone,
  constraint notices_pkey PRIMARY KEY (org_id, user_key, about),
  constraint notices_org_id_id_key UNIQUE (org_id, id),
  constraint notices_org_id_user_key_fkey FOREIGN KEY (org_id, user_key) REFERENCES users(org_id, key) ON DELETE CASCADE
);
CREATE INDEX notices_by_time ON public.notices USING btree (created_at);
CREATE INDEX notices_newest ON public.notices USING btree (org_id, user_key, key) WHERE (dismissed_at IS NULL);

create table oauth_codes (
  org_id text not null,
  id text not null,
  grant_id text not null,
  secret_hash text not null,
  challenge text not null,
  redirect_uri text not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_codes_pkey PRIMARY KEY (org_id, id),
  constraint oauth_codes_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES oauth_grants(org_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_by_grant ON public.oauth_codes USING btree (org_id, grant_id);

create table oauth_grants (
  org_id text not null,
  id text not null,
  user_key text not null,
  client_hash text not null,
  client_name text not null,
  redirect_host text not null,
  resource text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint oauth_grants_pkey PRIMARY KEY (org_id, id),
  constraint oauth_grants_org_id_user_key_client_hash_key UNIQUE (org_id, user_key, client_hash),
  constraint oauth_grants_org_id_user_key_fkey FOREIGN KEY (org_id, user_key) REFERENCES users(org_id, key) ON DELETE CASCADE
);

create table oauth_tokens (
  org_id text not null,
  id text not null,
  grant_id text not null,
  kind text not null,
  secret_hash text not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  chain_ends_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_tokens_pkey PRIMARY KEY (org_id, id),
  constraint oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text]))),
  constraint oauth_tokens_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES oauth_grants(org_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_tokens_by_grant ON public.oauth_tokens USING btree (org_id, grant_id);

create table old_team_relations (
  org_id text not null,
  blueprint_key bigint not null,
  relation text not null,
  until timestamp with time zone not null,
  constraint old_team_relations_pkey PRIMARY KEY (org_id, blueprint_key, relation)
);

create table old_team_writers (
  org_id text not null,
  id text not null,
  place text not null,
  model text not null,
  datasource text not null,
  written_by text not null,
  kind text not null,
  identifier text not null,
  relation text not null,
  title text,
  count bigint not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  constraint old_team_writers_pkey PRIMARY KEY (org_id, id)
);
CREATE INDEX old_team_writers_by_place ON public.old_team_writers USING btree (org_id, place);

create table organization_milestones (
  org_id text not null,
  milestone text not null,
  at timestamp with time zone not null,
  constraint organization_milestones_pkey PRIMARY KEY (org_id, milestone)
);

create table organization_secrets (
  org_id text not null,
  name text not null,
  description text not null,
  sealed text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint organization_secrets_pkey PRIMARY KEY (org_id, name)
);

create table organizations (
  id text not null,
  name text not null,
  model text not null,
  plan text not null,
  quotas jsonb default '{}'::jsonb not null,
  cutover jsonb default '{}'::jsonb not null,
  settings jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  migration_phase text,
  entered_at timestamp with time zone default clock_timestamp() not null,
  demo_of text,
  removal_requested_at timestamp with time zone,
  frozen_at timestamp with time zone,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_migration_phase_check CHECK ((migration_phase = ANY (ARRAY['frozen'::text, 'flipping'::text]))),
  constraint organizations_model_check CHECK ((model = ANY (ARRAY['legacy'::text, 'beta'::text, 'blueprints'::text]))),
  constraint organizations_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'standard'::text, 'enterprise'::text])))
);
CREATE UNIQUE INDEX organizations_demo ON public.organizations USING btree (demo_of) WHERE ((demo_of IS NOT NULL) AND (removal_requested_at IS NULL));
CREATE INDEX organizations_frozen ON public.organizations USING btree (id) WHERE (frozen_at IS NOT NULL);

create table pack_items (
  org_id text not null,
  pack text not null,
  kind text not null,
  blueprint text not null,
  identifier text not null,
  hash text not null,
  constraint pack_items_pkey PRIMARY KEY (org_id, pack, kind, blueprint, identifier),
  constraint pack_items_org_id_pack_fkey FOREIGN KEY (org_id, pack) REFERENCES packs(org_id, pack) ON DELETE CASCADE
);

create table packs (
  org_id text not null,
  pack text not null,
  version integer not null,
  installed_at timestamp with time zone not null,
  installed_by text not null,
  constraint packs_pkey PRIMARY KEY (org_id, pack)
);

create table pages (
  org_id text not null,
  key bigint generated always as identity not null,
  identifier text,
  type text not null,
  blueprint_key bigint,
  definition jsonb not null,
  owner text,
  permissions jsonb,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint pages_pkey PRIMARY KEY (org_id, key),
  constraint pages_identifier UNIQUE (org_id, identifier),
  constraint pages_check CHECK (((identifier IS NULL) = (type = 'entity'::text))),
  constraint pages_type_check CHECK ((type = ANY (ARRAY['dashboard'::text, 'blueprint-entities'::text, 'entity'::text, 'home'::text]))),
  constraint pages_org_id_blueprint_key_fkey FOREIGN KEY (org_id, blueprint_key) REFERENCES blueprints(org_id, key) ON DELETE CASCADE
);
CREATE INDEX pages_by_blueprint ON public.pages USING btree (org_id, blueprint_key);
CREATE UNIQUE INDEX pages_of_entities ON public.pages USING btree (org_id, blueprint_key) WHERE (type = 'entity'::text);

create table password_links (
  org_id text not null,
  id text not null,
  user_key text not null,
  secret_hash text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone not null,
  authority jsonb,
  carried_by text default 'hand'::text not null,
  ended_at timestamp with time zone,
  ended_as text,
  mailed_to text,
  constraint password_links_pkey PRIMARY KEY (org_id, id),
  constraint password_links_carried_by_check CHECK ((carried_by = ANY (ARRAY['hand'::text, 'mail'::text]))),
  constraint password_links_ended CHECK (((ended_at IS NULL) = (ended_as IS NULL))),
  constraint password_links_ended_as_check CHECK ((ended_as = ANY (ARRAY['used'::text, 'replaced'::text, 'revoked'::text])))
);
CREATE INDEX password_links_by_user ON public.password_links USING btree (org_id, user_key);
CREATE INDEX password_links_mailed ON public.password_links USING btree (org_id, created_at) WHERE (mailed_to IS NOT NULL);

create table people_migration_acceptances (
  org_id text not null,
  item_id text not null,
  suggested jsonb not null,
  accepted_at timestamp with time zone not null,
  accepted_by text not null,
  state text default 'due'::text not null,
  message text,
  constraint people_migration_acceptances_pkey PRIMARY KEY (org_id, item_id),
  constraint people_migration_acceptances_state_check CHECK ((state = ANY (ARRAY['due'::text, 'applied'::text, 'refused'::text])))
);

create table people_migration_choices (
  org_id text not null,
  choices jsonb not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint people_migration_choices_pkey PRIMARY KEY (org_id)
);

create table people_migration_images (
  org_id text not null,
  migration_id text not null,
  kind text not null,
  name text not null,
  before jsonb,
  after jsonb,
  constraint people_migration_images_pkey PRIMARY KEY (org_id, migration_id, kind, name)
);

create table people_migration_suggestions (
  org_id text not null,
  migration_id text not null,
  item_id text not null,
  resource jsonb not null,
  places jsonb not null,
  applied_at timestamp with time zone not null,
  applied_by text not null,
  constraint people_migration_suggestions_pkey PRIMARY KEY (org_id, migration_id, item_id)
);

create table people_migration_teams (
  org_id text not null,
  migration_id text not null,
  entity_key bigint not null,
  own_team_refs text[] not null,
  constraint people_migration_teams_pkey PRIMARY KEY (org_id, migration_id, entity_key)
);

create table people_migrations (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  status text not null,
  stage text not null,
  from_model text not null,
  actor jsonb not null,
  choices jsonb default '{}'::jsonb not null,
  counts jsonb default '{}'::jsonb not null,
  blockers jsonb default '[]'::jsonb not null,
  follow_up jsonb default '{}'::jsonb not null,
  message text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  flipped_at timestamp with time zone,
  finished_at timestamp with time zone,
  undo_until timestamp with time zone,
  constraint people_migrations_pkey PRIMARY KEY (org_id, id),
  constraint people_migrations_from_model_check CHECK ((from_model = ANY (ARRAY['legacy'::text, 'beta'::text]))),
  constraint people_migrations_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'BLOCKED'::text, 'ROLLED_BACK'::text])))
);
CREATE UNIQUE INDEX people_migrations_open ON public.people_migrations USING btree (org_id) WHERE (status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text]));

create table removed_organizations (
  id text not null,
  removed_at timestamp with time zone not null,
  constraint removed_organizations_pkey PRIMARY KEY (id)
);

create table replicas (
  id text not null,
  release text not null,
  role text not null,
  address text not null,
  started_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  draining_since timestamp with time zone,
  constraint replicas_pkey PRIMARY KEY (id)
);

create table rule_result_marks (
  org_id text not null,
  entity_key bigint not null,
  constraint rule_result_marks_pkey PRIMARY KEY (org_id, entity_key)
);

create table schema_migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  oldest_release text,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table scorecard_entities (
  org_id text not null,
  entity_key bigint not null,
  blueprint_key bigint not null,
  scorecard text not null,
  rule text not null,
  constraint scorecard_entities_pkey PRIMARY KEY (org_id, entity_key),
  constraint scorecard_entities_subject UNIQUE (org_id, blueprint_key, scorecard, rule)
);

create table scorecard_exemptions (
  org_id text not null,
  identifier text not null,
  blueprint_key bigint not null,
  entity_key bigint not null,
  scorecard text not null,
  rule text,
  reason text not null,
  until text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint scorecard_exemptions_pkey PRIMARY KEY (org_id, identifier),
  constraint scorecard_exemptions_org_id_entity_key_fkey FOREIGN KEY (org_id, entity_key) REFERENCES entities(org_id, key) ON DELETE CASCADE
);
CREATE INDEX scorecard_exemptions_by_scorecard ON public.scorecard_exemptions USING btree (org_id, blueprint_key, scorecard);
CREATE UNIQUE INDEX scorecard_exemptions_subject ON public.scorecard_exemptions USING btree (org_id, entity_key, scorecard, COALESCE(rule, ''::text));

create table scorecards (
  org_id text not null,
  key bigint generated always as identity not null,
  blueprint_key bigint not null,
  identifier text not null,
  definition jsonb not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  text_authors text[],
  constraint scorecards_pkey PRIMARY KEY (org_id, key),
  constraint scorecards_identifier UNIQUE (org_id, blueprint_key, identifier),
  constraint scorecards_org_id_blueprint_key_fkey FOREIGN KEY (org_id, blueprint_key) REFERENCES blueprints(org_id, key) ON DELETE CASCADE
);

create table search_indexes (
  org_id text not null,
  blueprint_key bigint not null,
  slot text not null,
  uses bigint default 0 not null,
  used_at timestamp with time zone not null,
  index_name text,
  constraint search_indexes_pkey PRIMARY KEY (org_id, blueprint_key, slot)
);

create table sessions (
  org_id text not null,
  id text not null,
  user_key text not null,
  secret_hash text not null,
  method text not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  user_agent text not null,
  address text not null,
  entered_from text,
  constraint sessions_pkey PRIMARY KEY (org_id, id),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['password'::text, 'sso'::text])))
);
CREATE INDEX sessions_by_user ON public.sessions USING btree (org_id, user_key);

create table sidebar_folders (
  org_id text not null,
  key bigint generated always as identity not null,
  identifier text not null,
  title text,
  parent text,
  after text,
  constraint sidebar_folders_pkey PRIMARY KEY (org_id, key),
  constraint sidebar_folders_identifier UNIQUE (org_id, identifier)
);

create table source_changes (
  org_id text not null,
  sync_key bigint not null,
  "position" bigint generated always as identity not null,
  item_key text not null,
  blueprint text not null,
  identifier text not null,
  change text not null,
  before jsonb,
  after jsonb,
  constraint source_changes_pkey PRIMARY KEY (org_id, sync_key, "position")
);
CREATE INDEX source_changes_by_item ON public.source_changes USING btree (org_id, sync_key, item_key);
CREATE INDEX source_changes_by_name ON public.source_changes USING btree (org_id, sync_key, blueprint, identifier);

create table source_items (
  org_id text not null,
  source_key bigint not null,
  item_key text not null,
  "position" integer not null,
  entity_key bigint,
  blueprint_key bigint,
  hash bytea,
  entity_version bigint,
  seen_in bigint not null,
  created_in bigint,
  changed_in bigint,
  replaced jsonb,
  gone_since timestamp with time zone,
  constraint source_items_pkey PRIMARY KEY (org_id, source_key, item_key, "position")
);
CREATE INDEX source_items_by_entity ON public.source_items USING btree (org_id, entity_key);

create table source_problems (
  org_id text not null,
  sync_key bigint not null,
  "position" bigint generated always as identity not null,
  severity text not null,
  code text not null,
  message text not null,
  line integer,
  item_key text,
  blueprint text,
  identifier text,
  place jsonb,
  constraint source_problems_pkey PRIMARY KEY (org_id, sync_key, "position")
);

create table source_syncs (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  source_key bigint,
  mode text not null,
  is_plan boolean not null,
  status text not null,
  options jsonb not null,
  lines integer default 0 not null,
  chunks integer default 0 not null,
  counts jsonb not null,
  cursor jsonb,
  next_state jsonb,
  is_whole boolean default false not null,
  note text,
  problem jsonb,
  started_at timestamp with time zone not null,
  touched_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  created_by text not null,
  constraint source_syncs_pkey PRIMARY KEY (org_id, key),
  constraint source_syncs_id UNIQUE (org_id, id)
);
CREATE INDEX source_syncs_by_source ON public.source_syncs USING btree (org_id, source_key, key);
CREATE INDEX source_syncs_open ON public.source_syncs USING btree (touched_at) WHERE (ended_at IS NULL);

create table source_waiting (
  org_id text not null,
  sync_key bigint not null,
  line bigint not null,
  "position" integer not null,
  item_key text not null,
  blueprint text not null,
  identifier text not null,
  body jsonb not null,
  targets jsonb not null,
  constraint source_waiting_pkey PRIMARY KEY (org_id, sync_key, line, "position")
);

create table sources (
  org_id text not null,
  key bigint generated always as identity not null,
  identifier text not null,
  type text not null,
  title text not null,
  settings jsonb not null,
  secrets jsonb not null,
  mapping jsonb not null,
  deletion text not null,
  schedule_minutes integer,
  is_paused boolean not null,
  state jsonb,
  problem jsonb,
  webhook_key text not null,
  webhook jsonb,
  next_sync_at timestamp with time zone,
  authority jsonb,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint sources_pkey PRIMARY KEY (org_id, key),
  constraint sources_identifier UNIQUE (org_id, identifier)
);
CREATE INDEX sources_due ON public.sources USING btree (next_sync_at) WHERE ((next_sync_at IS NOT NULL) AND (NOT is_paused));
CREATE INDEX sources_webhook_key ON public.sources USING btree (webhook_key);

create table sso_attempts (
  org_id text not null,
  state_hash text not null,
  browser_hash text not null,
  nonce text not null,
  verifier text not null,
  issuer text not null,
  redirect_uri text not null,
  return_to text not null,
  expires_at timestamp with time zone not null,
  constraint sso_attempts_pkey PRIMARY KEY (org_id, state_hash)
);

create table sso_connections (
  org_id text not null,
  issuer text not null,
  client_id text not null,
  sealed_secret text,
  scopes text[] not null,
  groups_claim text not null,
  group_teams jsonb default '[]'::jsonb not null,
  creates_users boolean not null,
  creates_teams boolean not null,
  domains text[] default '{}'::text[] not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint sso_connections_pkey PRIMARY KEY (org_id)
);

create table sso_subjects (
  org_id text not null,
  issuer text not null,
  subject text not null,
  user_key text not null,
  created_at timestamp with time zone not null,
  constraint sso_subjects_pkey PRIMARY KEY (org_id, issuer, subject),
  constraint sso_subjects_user UNIQUE (org_id, issuer, user_key)
);

create table team_members (
  org_id text not null,
  team_key text not null,
  user_key text not null,
  "position" bigint default 0 not null,
  constraint team_members_pkey PRIMARY KEY (org_id, team_key, user_key)
);
CREATE INDEX team_members_by_user ON public.team_members USING btree (org_id, user_key);

create table teams (
  org_id text not null,
  key text not null,
  identifier text not null,
  title text not null,
  description text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  name_key text,
  external_id text,
  provider text,
  constraint teams_pkey PRIMARY KEY (org_id, key),
  constraint teams_external_id UNIQUE (org_id, external_id),
  constraint teams_identifier UNIQUE (org_id, identifier),
  constraint teams_name_key UNIQUE (org_id, name_key),
  constraint teams_provider_check CHECK ((provider = ANY (ARRAY['sso'::text, 'scim'::text])))
);

create table timer_sweeps (
  org_id text not null,
  blueprint_key bigint not null,
  swept_until timestamp with time zone not null,
  constraint timer_sweeps_pkey PRIMARY KEY (org_id, blueprint_key),
  constraint timer_sweeps_org_id_blueprint_key_fkey FOREIGN KEY (org_id, blueprint_key) REFERENCES blueprints(org_id, key) ON DELETE CASCADE
);

create table trusted_sources (
  org_id text not null,
  kind text not null,
  source_key bigint not null,
  identifier text not null,
  trusted_at timestamp with time zone not null,
  trusted_by text not null,
  constraint trusted_sources_pkey PRIMARY KEY (org_id, kind, source_key),
  constraint trusted_sources_kind_check CHECK ((kind = ANY (ARRAY['integration'::text, 'webhook'::text, 'source'::text])))
);

create table unknown_properties (
  org_id text not null,
  blueprint_key bigint not null,
  property text not null,
  datasource text not null,
  guess jsonb not null,
  first_seen timestamp with time zone not null,
  last_seen timestamp with time zone not null,
  constraint unknown_properties_pkey PRIMARY KEY (org_id, blueprint_key, property, datasource),
  constraint unknown_properties_org_id_blueprint_key_fkey FOREIGN KEY (org_id, blueprint_key) REFERENCES blueprints(org_id, key) ON DELETE CASCADE
);
CREATE INDEX unknown_properties_by_age ON public.unknown_properties USING btree (org_id, last_seen);

create table user_passwords (
  org_id text not null,
  user_key text not null,
  hash text not null,
  changed_at timestamp with time zone not null,
  constraint user_passwords_pkey PRIMARY KEY (org_id, user_key)
);

create table users (
  org_id text not null,
  key text not null,
  identifier text not null,
  title text,
  status text not null,
  role text not null,
  type text not null,
  moderated_blueprints text[] default '{}'::text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  address_key text,
  first_name text,
  last_name text,
  picture text,
  last_login_at timestamp with time zone,
  external_id text,
  managed_by text,
  scim_updated_at timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (org_id, key),
  constraint users_address_key UNIQUE (org_id, address_key),
  constraint users_external_id UNIQUE (org_id, external_id),
  constraint users_identifier UNIQUE (org_id, identifier),
  constraint users_managed_by_check CHECK ((managed_by = 'scim'::text)),
  constraint users_role_check CHECK ((role = ANY (ARRAY['Admin'::text, 'Moderator'::text, 'Member'::text]))),
  constraint users_status_check CHECK ((status = ANY (ARRAY['Active'::text, 'Invited'::text, 'Staged'::text, 'Disabled'::text]))),
  constraint users_type_check CHECK ((type = ANY (ARRAY['Standard'::text, 'Service Account'::text])))
);

create table webhook_deliveries (
  org_id text not null,
  webhook_key bigint not null,
  key bigint generated always as identity not null,
  id text not null,
  state text not null,
  reason text,
  payload jsonb,
  bytes integer not null,
  results jsonb,
  replay_of text,
  received_at timestamp with time zone not null,
  processed_at timestamp with time zone,
  lease text,
  leased_until timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (org_id, webhook_key, key),
  constraint webhook_deliveries_org_id_id_key UNIQUE (org_id, id),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['refused'::text, 'dropped'::text, 'waiting'::text, 'running'::text, 'processed'::text, 'failed'::text]))),
  constraint webhook_deliveries_org_id_webhook_key_fkey FOREIGN KEY (org_id, webhook_key) REFERENCES webhooks(org_id, key) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (org_id, webhook_key, key) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

create table webhook_requests (
  org_id text not null,
  webhook_key bigint not null,
  request text not null,
  at timestamp with time zone not null,
  constraint webhook_requests_pkey PRIMARY KEY (org_id, webhook_key, request),
  constraint webhook_requests_org_id_webhook_key_fkey FOREIGN KEY (org_id, webhook_key) REFERENCES webhooks(org_id, key) ON DELETE CASCADE
);
CREATE INDEX webhook_requests_by_time ON public.webhook_requests USING btree (org_id, webhook_key, at);

create table webhooks (
  org_id text not null,
  key bigint generated always as identity not null,
  identifier text not null,
  ingest_key text not null,
  definition jsonb not null,
  sealed_secret text,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  authority jsonb,
  constraint webhooks_pkey PRIMARY KEY (org_id, key),
  constraint webhooks_identifier UNIQUE (org_id, identifier),
  constraint webhooks_org_id_ingest_key_key UNIQUE (org_id, ingest_key)
);

create table workflow_hooks (
  org_id text not null,
  workflow_key bigint not null,
  node text not null,
  name text not null,
  created_at timestamp with time zone not null,
  constraint workflow_hooks_pkey PRIMARY KEY (org_id, workflow_key, node)
);
CREATE UNIQUE INDEX workflow_hooks_by_name ON public.workflow_hooks USING btree (org_id, name);

create table workflow_node_run_logs (
  org_id text not null,
  node_run_id text not null,
  key bigint generated always as identity not null,
  level text not null,
  message text not null,
  tags jsonb,
  at timestamp with time zone not null,
  constraint workflow_node_run_logs_pkey PRIMARY KEY (org_id, node_run_id, key)
);

create table workflow_node_runs (
  org_id text not null,
  id text not null,
  run_id text not null,
  step integer not null,
  node text not null,
  attempt integer not null,
  type text not null,
  phase text not null,
  result text,
  outlet text,
  goes_on boolean not null,
  ends_run text,
  status_label jsonb,
  message text,
  raw jsonb,
  output jsonb,
  input jsonb,
  links jsonb not null,
  tries integer not null,
  installation_id text,
  claimed_until timestamp with time zone,
  acknowledged_at timestamp with time zone,
  external_run_id text,
  due_at timestamp with time zone,
  responders jsonb,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  begun_try integer,
  copied_from text,
  compensates text,
  failed_to_compensate text,
  call_key text,
  constraint workflow_node_runs_pkey PRIMARY KEY (org_id, id),
  constraint workflow_node_runs_ends_run_check CHECK ((ends_run = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text]))),
  constraint workflow_node_runs_phase_check CHECK ((phase = ANY (ARRAY['READY'::text, 'DISPATCHING'::text, 'RETRY_AT'::text, 'WAIT_REPORT'::text, 'WAIT_RESPONSE'::text, 'WAIT_TIME'::text, 'WAIT_CHILD'::text, 'ENDED'::text]))),
  constraint workflow_node_runs_result_check CHECK ((result = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE INDEX workflow_node_runs_awaited ON public.workflow_node_runs USING btree (org_id, created_at) WHERE (phase = 'WAIT_RESPONSE'::text);
CREATE UNIQUE INDEX workflow_node_runs_by_attempt ON public.workflow_node_runs USING btree (org_id, run_id, node, attempt);
CREATE UNIQUE INDEX workflow_node_runs_by_compensated ON public.workflow_node_runs USING btree (org_id, compensates) WHERE (compensates IS NOT NULL);
CREATE INDEX workflow_node_runs_by_external_id ON public.workflow_node_runs USING btree (org_id, external_run_id) WHERE (external_run_id IS NOT NULL);
CREATE INDEX workflow_node_runs_by_failed_compensation ON public.workflow_node_runs USING btree (org_id, failed_to_compensate) WHERE (failed_to_compensate IS NOT NULL);
CREATE UNIQUE INDEX workflow_node_runs_by_step ON public.workflow_node_runs USING btree (org_id, run_id, step);
CREATE INDEX workflow_node_runs_due ON public.workflow_node_runs USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX workflow_node_runs_offered ON public.workflow_node_runs USING btree (org_id, installation_id, created_at) WHERE ((installation_id IS NOT NULL) AND (acknowledged_at IS NULL) AND (phase <> 'ENDED'::text));

create table workflow_pauses (
  org_id text not null,
  workflow_key bigint not null,
  node text not null,
  reason text,
  paused_at timestamp with time zone not null,
  paused_by text not null,
  constraint workflow_pauses_pkey PRIMARY KEY (org_id, workflow_key, node)
);

create table workflow_proposals (
  org_id text not null,
  id text not null,
  key bigint generated always as identity not null,
  state text not null,
  goal text not null,
  identifier text not null,
  definition json not null,
  workflow_key bigint,
  base_version integer,
  warnings jsonb not null,
  test jsonb,
  questions text[] not null,
  invocation text,
  call text,
  agent text,
  decision jsonb,
  text_authors text[] not null,
  created_by text not null,
  created_by_kind text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  comment text,
  constraint workflow_proposals_pkey PRIMARY KEY (org_id, id),
  constraint workflow_proposals_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'ACCEPTED'::text, 'DISMISSED'::text])))
);
CREATE UNIQUE INDEX workflow_proposals_by_call ON public.workflow_proposals USING btree (org_id, invocation, call) WHERE (invocation IS NOT NULL);
CREATE INDEX workflow_proposals_by_time ON public.workflow_proposals USING btree (created_at);
CREATE INDEX workflow_proposals_open ON public.workflow_proposals USING btree (org_id, key) WHERE (state = 'OPEN'::text);

create table workflow_responses (
  org_id text not null,
  node_run_id text not null,
  responder text not null,
  button text not null,
  inputs jsonb not null,
  responded_at timestamp with time zone not null,
  constraint workflow_responses_pkey PRIMARY KEY (org_id, node_run_id, responder)
);

create table workflow_run_calls (
  org_id text not null,
  id text not null,
  key bigint generated always as identity not null,
  state text not null,
  workflow_key bigint not null,
  workflow_identifier text not null,
  version integer not null,
  trigger_node text not null,
  inputs jsonb not null,
  draft jsonb,
  invocation text,
  call text,
  decision jsonb,
  text_authors text[] not null,
  requested_with jsonb not null,
  depth integer not null,
  caused_by text,
  created_by text not null,
  created_by_kind text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  decided_at timestamp with time zone,
  decided_by text,
  comment text,
  constraint workflow_run_calls_pkey PRIMARY KEY (org_id, id),
  constraint workflow_run_calls_state_check CHECK ((state = ANY (ARRAY['DRAFT'::text, 'STARTED'::text, 'DECLINED'::text])))
);
CREATE UNIQUE INDEX workflow_run_calls_by_call ON public.workflow_run_calls USING btree (org_id, invocation, call) WHERE (invocation IS NOT NULL);
CREATE INDEX workflow_run_calls_by_time ON public.workflow_run_calls USING btree (created_at);
CREATE INDEX workflow_run_drafts ON public.workflow_run_calls USING btree (org_id, key) WHERE (state = 'DRAFT'::text);

create table workflow_run_events (
  org_id text not null,
  run_id text not null,
  seq integer not null,
  kind text not null,
  node_run_id text,
  data jsonb not null,
  at timestamp with time zone not null,
  constraint workflow_run_events_pkey PRIMARY KEY (org_id, run_id, seq)
);

create table workflow_runs (
  org_id text not null,
  id text not null,
  key bigint generated always as identity not null,
  workflow_key bigint not null,
  workflow_identifier text not null,
  version integer not null,
  status text not null,
  result text,
  status_label jsonb,
  message text,
  at_node_run text,
  rev integer not null,
  trigger_node text not null,
  trigger jsonb not null,
  event_key bigint,
  depth integer not null,
  root_id text not null,
  caused_by text,
  cancel text,
  cancelled_by text,
  steps integer not null,
  bytes integer not null,
  authority jsonb not null,
  text_authors text[] not null,
  requested_with jsonb,
  idempotency_key text,
  idempotency_hash text,
  created_by text not null,
  created_by_kind text not null,
  impersonated_by text,
  deadline_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  parent_run text,
  parent_node_run text,
  item_index integer,
  body text[],
  nesting integer default 0 not null,
  rerun_of text,
  from_node text,
  trigger_kind text,
  blueprint text,
  entity text,
  ends_as text,
  compensates text,
  failed_to_compensate text,
  repeated_by text,
  message_before jsonb,
  constraint workflow_runs_pkey PRIMARY KEY (org_id, id),
  constraint workflow_runs_cancel_check CHECK ((cancel = ANY (ARRAY['graceful'::text, 'force'::text]))),
  constraint workflow_runs_ends_as_check CHECK ((ends_as = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint workflow_runs_result_check CHECK ((result = ANY (ARRAY['SUCCESS'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint workflow_runs_status_check CHECK ((status = ANY (ARRAY['IN_PROGRESS'::text, 'CANCELLING'::text, 'COMPLETED'::text])))
);
CREATE UNIQUE INDEX workflow_runs_by_compensated ON public.workflow_runs USING btree (org_id, compensates) WHERE (compensates IS NOT NULL);
CREATE INDEX workflow_runs_by_entity ON public.workflow_runs USING btree (org_id, blueprint, entity, key) WHERE (blueprint IS NOT NULL);
CREATE UNIQUE INDEX workflow_runs_by_event ON public.workflow_runs USING btree (org_id, workflow_key, trigger_node, event_key) WHERE (event_key IS NOT NULL);
CREATE UNIQUE INDEX workflow_runs_by_idempotency_key ON public.workflow_runs USING btree (org_id, workflow_key, created_by, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE UNIQUE INDEX workflow_runs_by_parent ON public.workflow_runs USING btree (org_id, parent_node_run, item_index) WHERE (parent_node_run IS NOT NULL);
CREATE INDEX workflow_runs_by_person ON public.workflow_runs USING btree (org_id, created_by, key);
CREATE INDEX workflow_runs_by_rerun ON public.workflow_runs USING btree (org_id, rerun_of) WHERE (rerun_of IS NOT NULL);
CREATE INDEX workflow_runs_by_root ON public.workflow_runs USING btree (org_id, root_id);
CREATE INDEX workflow_runs_by_time ON public.workflow_runs USING btree (org_id, key);
CREATE INDEX workflow_runs_by_workflow ON public.workflow_runs USING btree (org_id, workflow_key, key);
CREATE INDEX workflow_runs_ended ON public.workflow_runs USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX workflow_runs_open ON public.workflow_runs USING btree (org_id, key) WHERE (status <> 'COMPLETED'::text);

create table workflow_triggers (
  org_id text not null,
  workflow_key bigint not null,
  node text not null,
  kind text not null,
  published boolean not null,
  permitted jsonb,
  event text,
  blueprint text,
  property text,
  cron text,
  next_run_at timestamp with time zone,
  constraint workflow_triggers_pkey PRIMARY KEY (org_id, workflow_key, node),
  constraint workflow_triggers_kind_check CHECK ((kind = ANY (ARRAY['SELF_SERVE_TRIGGER'::text, 'EVENT_TRIGGER'::text, 'SCHEDULE_TRIGGER'::text, 'WEBHOOK_TRIGGER'::text, 'RUN_TRIGGER'::text])))
);
CREATE INDEX workflow_triggers_by_event ON public.workflow_triggers USING btree (org_id, blueprint, event) WHERE ((event IS NOT NULL) AND published);
CREATE INDEX workflow_triggers_due ON public.workflow_triggers USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);

create table workflow_versions (
  org_id text not null,
  workflow_key bigint not null,
  version integer not null,
  id text not null,
  definition json not null,
  hash text not null,
  authority jsonb not null,
  text_authors text[] not null,
  note text,
  saved_at timestamp with time zone not null,
  saved_by text not null,
  constraint workflow_versions_pkey PRIMARY KEY (org_id, workflow_key, version)
);
CREATE UNIQUE INDEX workflow_versions_by_id ON public.workflow_versions USING btree (org_id, id);

create table workflow_waits (
  org_id text not null,
  node_run_id text not null,
  action_run text,
  event text,
  blueprint text,
  property text,
  created_at timestamp with time zone not null,
  constraint workflow_waits_pkey PRIMARY KEY (org_id, node_run_id)
);
CREATE INDEX workflow_waits_by_action_run ON public.workflow_waits USING btree (org_id, action_run) WHERE (action_run IS NOT NULL);
CREATE INDEX workflow_waits_by_blueprint ON public.workflow_waits USING btree (org_id, blueprint) WHERE (blueprint IS NOT NULL);

create table workflows (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  identifier text not null,
  current_version integer not null,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint workflows_pkey PRIMARY KEY (org_id, key)
);
CREATE UNIQUE INDEX workflows_by_id ON public.workflows USING btree (org_id, id);
CREATE UNIQUE INDEX workflows_by_identifier ON public.workflows USING btree (org_id, identifier) WHERE (deleted_at IS NULL);

CREATE OR REPLACE FUNCTION public.entity_keys(org text, blueprint bigint, names text[])
 RETURNS TABLE(name text, key bigint)
 LANGUAGE plpgsql
 STABLE ROWS 20
 SET enable_sort TO 'off'
AS $function$
begin
  return query
    select w.name, k.key from unnest(names) as w(name)
    cross join lateral (
      select x.key from entities x
      where x.org_id = org and x.blueprint_key = blueprint and x.identifier >= w.name and x.identifier <= w.name
      order by x.identifier limit 1) k;
end
$function$;

CREATE OR REPLACE FUNCTION public.merge_text_authors(stored text[], added text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when coalesce(stored, '{outside}') @> added then coalesce(stored, '{outside}') else (
    with named as (select distinct author from unnest(coalesce(stored, '{outside}') || added) as u(author)),
    ranked as (
      select author, row_number() over (order by author <> 'outside', author collate "C") as place from named where author <> '*')
    select array_agg(author order by author collate "C") from (
      select author from ranked where place <= 8
      union all
      select '*' where exists (select 1 from ranked where place > 8) or exists (select 1 from named where author = '*')
    ) kept) end
$function$;
