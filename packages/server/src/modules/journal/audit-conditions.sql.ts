import type { AuditFilters } from '@portolan/contract/audit';
import sql, { type Sql } from 'sql-template-tag';
import { momentOfEventId } from './event-id.ts';

/** Audit log filters as conditions on `journal j`, all of which must hold (api contract §3.17). */
export function auditConditions(query: AuditFilters): Sql[] {
  const conditions: Sql[] = [];
  const inContext = (key: string, value: string | undefined) => {
    if (value !== undefined) conditions.push(sql`j.context ->> ${key} = ${value}`);
  };
  if (query.identifier !== undefined) conditions.push(named(query.identifier));
  // literal keys, to match the index expressions
  if (query.entity !== undefined) conditions.push(sql`j.context ->> 'entity' = ${query.entity}`);
  if (query.blueprint !== undefined) conditions.push(sql`j.context ->> 'blueprint' = ${query.blueprint}`);
  if (query.run_id !== undefined) conditions.push(sql`j.context ->> 'runId' = ${query.run_id}`);
  inContext('webhookId', query.webhookId);
  inContext('webhookEventId', query.webhookEventId);
  inContext('installationId', query.InstallationId ?? query.installationId);
  inContext('actionType', query.actionType);
  const origins = query.origin ?? query['origin[]'];
  if (origins) conditions.push(from(origins));
  const resources = query.resources ?? query['resources[]'];
  if (resources) conditions.push(sql`j.resource_type = any(${resources})`);
  if (query.action !== undefined) conditions.push(sql`j.action = ${query.action}`);
  // literals too, because the index of failures is partial
  if (query.status === 'FAILURE') conditions.push(sql`j.status = 'FAILURE'`);
  if (query.status === 'SUCCESS') conditions.push(sql`j.status = 'SUCCESS'`);
  if (query.actor !== undefined) conditions.push(sql`j.actor_id = ${query.actor}`);
  // a literal for people, whose index is partial
  if (query.actorKind === 'person') conditions.push(sql`j.actor_kind = 'person'`);
  else if (query.actorKind !== undefined) conditions.push(sql`j.actor_kind = ${query.actorKind}`);
  if (query.from) conditions.push(sql`j.at >= ${query.from}`);
  if (query.to) conditions.push(sql`j.at <= ${query.to}`);
  return conditions;
}

/** Matches records about this identifier, or the record with this id. */
function named(identifier: string): Sql {
  const at = momentOfEventId(identifier);
  if (!at) return sql`j.identifier = ${identifier}`;
  return sql`(j.identifier = ${identifier} or (j.at = ${at} and j.id = ${identifier}))`;
}

/** `UI`, `API` …, a full user agent, or its part before a `/`. */
function from(origins: readonly string[]): Sql {
  return sql`(j.origin = any(${origins}) or j.datasource = any(${origins})
    or exists (select 1 from unnest(${origins}::text[]) as o(name) where starts_with(j.datasource, o.name || '/')))`;
}
