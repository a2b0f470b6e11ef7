import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';

export type Permissions = AnswerOf<'getBlueprintPermissions'>['permissions'];
export type Grant = Permissions['entities']['read'];

export const grantNames = ['read', 'register', 'update', 'unregister'] as const;
export type GrantName = (typeof grantNames)[number];

export const grantTitles: Readonly<Record<GrantName, { readonly title: string; readonly text: string }>> = {
  read: { title: t('See'), text: t('Who sees entities in pages, searches and the API') },
  register: { title: t('Create'), text: t('Who creates entities') },
  update: { title: t('Change'), text: t('Who changes entities') },
  unregister: { title: t('Delete'), text: t('Who deletes entities') },
};

/** The PATCH body that turns one into the other; a removed policy is null. */
export function permissionChange(before: Permissions, after: Permissions): { entities: Record<string, unknown> } {
  const entities: Record<string, unknown> = {};
  for (const name of grantNames) {
    if (differs(before.entities[name], after.entities[name])) {
      entities[name] = written(before.entities[name], after.entities[name]);
    }
  }
  for (const part of ['updateProperties', 'updateRelations'] as const) {
    const changed = Object.entries(after.entities[part]).filter(([key, grant]) =>
      differs(before.entities[part][key], grant),
    );
    if (changed.length > 0) {
      entities[part] = Object.fromEntries(
        changed.map(([key, grant]) => [key, written(before.entities[part][key], grant)]),
      );
    }
  }
  return { entities };
}

function differs(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) !== JSON.stringify(right);
}

function written(before: Grant | undefined, after: Grant): Record<string, unknown> {
  return before?.policy !== undefined && after.policy === undefined ? { ...after, policy: null } : { ...after };
}

/** Parses a text as permissions, or says why it is not. */
export function readPermissions(text: string): { readonly permissions: Permissions } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const entities = (value as { entities?: Record<string, unknown> } | null)?.entities;
  if (typeof entities !== 'object' || entities === null) return { problem: 'Rights are { "entities": { … } }' };
  const wrong = grantNames.find((name) => !isGrant(entities[name]));
  if (wrong) return { problem: t('"{wrong}" must hold "roles", "users" and "teams" as lists', { wrong }) };
  for (const part of ['updateProperties', 'updateRelations']) {
    const grants = entities[part];
    if (typeof grants !== 'object' || grants === null || !Object.values(grants).every(isGrant)) {
      return { problem: t('"{part}" must hold a grant for each key', { part }) };
    }
  }
  return { permissions: value as Permissions };
}

function isGrant(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const grant = value as Record<string, unknown>;
  return ['roles', 'users', 'teams'].every((name) => Array.isArray(grant[name]));
}
