import { checkValue } from './check-value.ts';
import type { DemoEntity, DemoOrganization, RelationValue, Schema, SchemaProperty } from './organization.ts';

const listOfText: SchemaProperty = { type: 'array', items: { type: 'string' } };

/** The platform's own blueprints, as the specification lists their properties. */
export const specified: Record<string, Schema & { relations: Record<string, string> }> = {
  _ai_agent: {
    properties: {
      description: { type: 'string' },
      status: { type: 'string', enum: ['active', 'inactive'] },
      tools: listOfText,
      prompt: { type: 'string', format: 'markdown', pattern: '^[^]{1,2500}$' },
      execution_mode: { type: 'string', enum: ['Automatic', 'Approval Required'] },
      conversation_starters: listOfText,
      provider: { type: 'string' },
      model: { type: 'string' },
      labels: { type: 'object' },
    },
    required: ['status', 'tools', 'prompt'],
    relations: {},
  },
  _ai_invocations: {
    properties: {
      status: { type: 'string', enum: ['In Progress', 'Completed', 'Failed'] },
      asked_at: { type: 'string', format: 'date-time' },
      replied_at: { type: 'string', format: 'date-time' },
      prompt: { type: 'string', format: 'markdown' },
      error: { type: 'string' },
      response: { type: 'string', format: 'markdown' },
      execution_logs: { type: 'string', format: 'markdown' },
      labels: { type: 'object' },
      quota: { type: 'object' },
      provider: { type: 'string' },
      model: { type: 'string' },
    },
    required: ['status', 'asked_at'],
    relations: { agent: '_ai_agent', asked_by: '_user' },
  },
};

/** What is wrong with the properties of an entity, in words. */
export function findComplaints(entity: DemoEntity, schema: Schema): string[] {
  const missing = schema.required
    .filter((key) => (entity.properties[key] ?? null) === null)
    .map((key) => `misses ${key}`);
  const wrong = Object.entries(entity.properties).flatMap(([key, value]) => {
    const property = schema.properties[key];
    return property ? checkValue(value, property).map((text) => `${key}: ${text}`) : [`${key} is unknown`];
  });
  return [...missing, ...wrong].map((text) => `${entity.blueprint}/${entity.identifier} ${text}`);
}

export function identifiersIn(value: RelationValue): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : [];
}

/** Tells whether an entity, person, team or agent of the organization has this identifier. */
export function knownIn(organization: DemoOrganization): (blueprint: string, identifier: string) => boolean {
  const known = new Set<string>();
  const { users, teams, entities, agents } = organization;
  for (const { blueprint, identifier } of [...users, ...teams, ...entities, ...agents]) {
    known.add(`${blueprint}/${identifier}`);
  }
  return (blueprint, identifier) => known.has(`${blueprint}/${identifier}`);
}
