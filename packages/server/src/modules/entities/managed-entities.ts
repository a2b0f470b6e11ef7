import { isDeepStrictEqual } from 'node:util';
import type { EntityBody } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import {
  agentSchemaIn,
  isScorecardData,
  resultTargets,
  type StoredBlueprint,
  systemBlueprint,
} from '../blueprints/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';

/** Invocations are evidence: only the platform writes the specification's fields. */
const invocations = '_ai_invocations';
const results = '_rule_result';

/**
 * Nobody but the platform creates or deletes invocations or changes their base fields; an organization's added fields
 * may be written.
 * @throws AppError `managed_field` with every field that is the platform's
 */
export function assertWritable(
  actor: Actor,
  blueprint: StoredBlueprint,
  body: EntityBody,
  before: StoredEntity | undefined,
): void {
  assertSameAddress(blueprint, body, before);
  if (isScorecardData(blueprint.identifier)) assertSameSubject(blueprint, body, before);
  if (blueprint.identifier !== invocations || actor.kind === 'system') return;
  if (!before) throw managed('Invocations come into being by invoking the assistant or an agent', []);
  const structure = systemBlueprint(invocations, 'blueprints', agentSchemaIn(blueprint));
  const fields = [
    ...(body.title !== undefined && body.title !== before.title ? ['/title'] : []),
    ...(body.identifier !== undefined && body.identifier !== before.identifier ? ['/identifier'] : []),
    ...(body.team !== undefined ? ['/team'] : []),
    ...listManagedNames(body.properties, structure?.schema.properties, '/properties'),
    ...listManagedNames(body.relations, structure?.relations, '/relations'),
  ];
  if (fields.length > 0) throw managed('These fields of an invocation are written by the platform alone', fields);
}

/** A user's identifier is the address, which cannot change (users-and-teams §1.4). */
function assertSameAddress(blueprint: StoredBlueprint, body: EntityBody, before: StoredEntity | undefined): void {
  if (blueprint.identifier !== '_user' || !before || body.identifier === before.identifier) return;
  throw new AppError('managed_field', `The address of the user "${before.identifier}" cannot change`, {
    details: [{ path: '/identifier', message: 'cannot be changed' }],
  });
}

/**
 * Scorecards keep identifier and blueprint, rules identifier and scorecard; of results the platform writes everything
 * but added fields.
 */
function assertSameSubject(blueprint: StoredBlueprint, body: EntityBody, before: StoredEntity | undefined): void {
  const structure = systemBlueprint(blueprint.identifier);
  if (blueprint.identifier === results) {
    if (!before) throw managed('Results come into being by the rules of scorecards', []);
    const relations = { ...structure?.relations, ...resultTargets(blueprint) };
    const fields = [
      ...(body.title !== undefined && body.title !== before.title ? ['/title'] : []),
      ...(body.identifier !== undefined && body.identifier !== before.identifier ? ['/identifier'] : []),
      ...(body.team !== undefined ? ['/team'] : []),
      ...listManagedNames(body.properties, structure?.schema.properties, '/properties'),
      ...listManagedNames(body.relations, relations, '/relations'),
    ];
    if (fields.length > 0) throw managed('These fields of a result are written by the platform alone', fields);
    return;
  }
  if (!before) return;
  const fixed = blueprint.identifier === '_scorecard' ? 'blueprint' : 'scorecard';
  const part = fixed === 'blueprint' ? 'properties' : 'relations';
  const written = (body[part] as Readonly<Record<string, unknown>> | undefined)?.[fixed];
  const isSame = written === undefined || isDeepStrictEqual(written, before[part][fixed]);
  const fields = [
    ...(body.identifier !== undefined && body.identifier !== before.identifier ? ['/identifier'] : []),
    ...(isSame ? [] : [`/${part}/${fixed}`]),
  ];
  if (fields.length === 0) return;
  throw new AppError(
    'managed_field',
    `What "${before.identifier}" stands for cannot change; delete it and make another`,
    {
      details: fields.map((path) => ({ path, message: 'cannot be changed' })),
    },
  );
}

/** @throws AppError `managed_field` */
export function assertDeletable(actor: Actor, blueprint: StoredBlueprint): void {
  if (blueprint.identifier === results && actor.kind !== 'system') {
    throw managed('Results go with their rule or entity and cannot be deleted one by one', []);
  }
  if (blueprint.identifier !== invocations || actor.kind === 'system') return;
  throw managed('Invocations are evidence and cannot be deleted one by one', []);
}

/** What a wipe would lose, and the alternative. */
const kept: Readonly<Record<string, string>> = {
  _user:
    'Users are not deleted all at once, since nobody could sign in any more. Delete them one by one ' +
    '(DELETE /v1/users/{email}), or up to 100 at a time (POST /v1/blueprints/_user/bulk/entities/delete)',
  _team:
    'Teams are not deleted all at once, since what they own and who they are would be lost. Delete them one by one ' +
    '(DELETE /v1/teams/{name}), or up to 100 at a time (POST /v1/blueprints/_team/bulk/entities/delete)',
  [results]: 'Results go with their scorecard; delete that, or the rule',
  [invocations]: 'Invocations are evidence of what was asked and done, and stay; who reads them is set by rights',
};

/** @throws AppError `wipe_refused` for people, teams and evidence */
export function assertWipeable({ identifier }: StoredBlueprint): void {
  const sentence = Object.hasOwn(kept, identifier) ? kept[identifier] : undefined;
  if (sentence !== undefined) throw new AppError('wipe_refused', sentence);
}

function listManagedNames(written: object | undefined, base: object | undefined, path: string): string[] {
  return Object.keys(written ?? {})
    .filter((key) => base !== undefined && Object.hasOwn(base, key))
    .map((key) => `${path}/${key}`);
}

function managed(message: string, fields: readonly string[]): AppError {
  const details = fields.map((path) => ({ path, message: 'is written by the platform alone' }));
  return new AppError('managed_field', message, details.length > 0 ? { details } : {});
}
