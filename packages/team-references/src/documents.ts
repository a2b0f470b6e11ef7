import type { JqObject, JqValue } from '@portolan/jq';

/** A document as the API answers it. Nothing of it is trusted to have its shape: old ones are read too. */
export type Json = JqValue;
export type JsonObject = JqObject;

/**
 * `legacy`: teams are known by their titles. `beta`: titles as values, identifiers in search rules. `blueprints`: after
 * the migration, identifiers everywhere.
 */
export type OrganizationModel = 'legacy' | 'beta' | 'blueprints';

export interface TeamDocument {
  /** Known where teams are entities already; else it is derived from the title. */
  readonly identifier?: string;
  readonly title: string;
  /** Decides which of two equal identifiers gets a number, together with `id`. */
  readonly createdAt?: string;
  readonly id?: string;
}

export interface BlueprintDocument {
  readonly blueprint: JsonObject;
  readonly permissions: JsonObject | null;
  /** How many entities carry a `$team` value; undefined where nobody counted. */
  readonly entitiesWithTeam?: number;
}

export interface ActionDocument {
  readonly action: JsonObject;
  /** Null for automations, which have none. */
  readonly permissions: JsonObject | null;
}

export interface PageDocument {
  readonly page: JsonObject;
  /** Null for pages that have none of their own. */
  readonly permissions: JsonObject | null;
}

/** Everything of one organization in which teams can be named, as the API answers it. */
export interface OrganizationDocuments {
  readonly model: OrganizationModel;
  readonly teams: readonly TeamDocument[];
  readonly blueprints: readonly BlueprintDocument[];
  /** Self-service actions and automations, also of the older form. */
  readonly actions: readonly ActionDocument[];
  readonly integrations: readonly JsonObject[];
  readonly webhooks: readonly JsonObject[];
  readonly pages: readonly PageDocument[];
  readonly scorecards: readonly JsonObject[];
  /** Entities of `_ai_agent`. */
  readonly agents: readonly JsonObject[];
  /** Where changes of the whole organization are sent; absent where nobody read them. */
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

/** Which document a pointer is in. The `…-permissions` kinds carry the identifier of what the permissions are of. */
export interface Resource {
  readonly kind: ResourceKind;
  readonly identifier: string;
  readonly title: string;
  /** Of a scorecard or an action on a blueprint. */
  readonly blueprint?: string;
}
