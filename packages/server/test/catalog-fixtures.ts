import { expect } from 'vitest';
import type { Request } from './build-test-app.ts';

let made = 0;

/** A name that no other test of the file uses. */
export function unique(stem: string): string {
  made += 1;
  return `${stem}${made}`;
}

type Json = Readonly<Record<string, unknown>>;

/** Parts of a blueprint; `properties` and `required` stand for the schema. */
export interface BlueprintParts extends Json {
  readonly properties?: Json;
  readonly required?: readonly string[];
}

/** A blueprint body of these parts. */
export function blueprintBody(identifier: string, { properties = {}, required, ...rest }: BlueprintParts = {}): Json {
  return { identifier, title: identifier, schema: { properties, ...(required ? { required } : {}) }, ...rest };
}

/** The maps of a blueprint, which answers show also where they are empty. */
export const emptyMaps: Json = {
  calculationProperties: {},
  mirrorProperties: {},
  aggregationProperties: {},
  relations: {},
};

/** Creates a blueprint with a name of its own and answers the name. */
export async function createBlueprint(request: Request, stem: string, parts: BlueprintParts = {}): Promise<string> {
  const identifier = unique(stem);
  const answer = await request('POST', '/v1/blueprints', { body: blueprintBody(identifier, parts) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return identifier;
}

/** Creates an entity and answers it. */
export async function createEntity(request: Request, blueprint: string, body: Json, query = ''): Promise<Entity> {
  const answer = await request('POST', `/v1/blueprints/${blueprint}/entities${query}`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.entity;
}

export async function readEntity(request: Request, blueprint: string, identifier: string): Promise<Entity> {
  const answer = await request('GET', entityPath(blueprint, identifier));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.entity;
}

export function entityPath(blueprint: string, identifier: string): string {
  return `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(identifier)}`;
}

export interface Entity {
  readonly identifier: string;
  readonly title: string | null;
  readonly icon: string | null;
  readonly blueprint: string;
  readonly team: string[];
  readonly properties: Record<string, unknown>;
  readonly relations: Record<string, unknown>;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly updatedBy: string;
}

/** Identifiers of the entities of a blueprint that match the rules. */
export async function searchIn(request: Request, blueprint: string, ...rules: unknown[]): Promise<string[]> {
  const body = { query: { combinator: 'and', rules } };
  const answer = await request('POST', `/v1/blueprints/${blueprint}/entities/search`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.entities.map((entity: Entity) => entity.identifier);
}

/** The paths of the issues in an error body, in order. */
export function issuePaths(body: { details?: unknown }): string[] {
  return (body.details as { path: string }[]).map(({ path }) => path);
}

/** A range of moments: from before the clock of tests begins until it begins. */
export const sinceThen = '?from=2026-01-15T00:00:00Z&to=2026-01-15T09:00:00Z';
