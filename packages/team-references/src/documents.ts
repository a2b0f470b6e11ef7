import type { JqObject, JqValue } from '@portolan/jq';

/** A document as the API returns it. Its shape is not trusted: old documents are read too. */
export type Json = JqValue;
export type JsonObject = JqObject;

/**
 * `legacy`: teams are referenced by title. `beta`: titles in values, identifiers in search rules. `blueprints`: after
 * the migration, identifiers everywhere.
 */
export type OrganizationModel = 'legacy' | 'beta' | 'blueprints';

export interface TeamDocument {
  /** Present if teams are already entities; otherwise it is derived from the title. */
  readonly identifier?: string;
  readonly title: string;
  /** Decides, together with `id`, which of two equal identifiers gets a number. */
  readonly createdAt?: string;
  readonly id?: string;
}

export interface BlueprintDocument {
  readonly blueprint: JsonObject;
  readonly permissions: JsonObject | null;
  /** The number of entities with a `$team` value; undefined if not counted. */
  readonly entitiesWithTeam?: number;
}

export interface ActionDocument {
  readonly action: JsonObject;
  /** Null for automations, which have no permissions. */
  readonly permissions: JsonObject | null;
}

export interface PageDocument {
  readonly page: JsonObject;
  /** Null for pages without permissions of their own. */
  readonly permissions: JsonObject | null;
}

/** All documents of an organization that can name teams, as the API returns them. */
export interface OrganizationDocuments {
  readonly model: OrganizationModel;
  readonly teams: readonly TeamDocument[];
  readonly blueprints: readonly BlueprintDocument[];
  /** Self-service actions and automations, including the older form. */
  readonly actions: readonly ActionDocument[];
  readonly integrations: readonly JsonObject[];
  readonly webhooks: readonly JsonObject[];
  readonly pages: readonly PageDocument[];
  readonly scorecards: readonly JsonObject[];
  readonly agents: readonly JsonObject[];
  /** Changelog destinations of the organization; absent if not read. */
  readonly destinations?: readonly JsonObject[];
}

export const resourceKinds = [
  'blueprint',
  'blueprint-permissions',
  'action',
  'action-permissions',
  'automation',
  'integration',
  'webhook',
  'page',
  'page-permissions',
  'scorecard',
  'agent',
  'destination',
  'file',
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** The document of a pointer. For the `…-permissions` kinds the identifier is that of the resource they belong to. */
export interface Resource {
  readonly kind: ResourceKind;
  readonly identifier: string;
  readonly title: string;
  /** The blueprint of a scorecard or action. */
  readonly blueprint?: string;
}
