import { isDeepStrictEqual } from 'node:util';
import type { ActionBody, ActionPermissionsBody } from '@portolan/contract/actions';
import type { BlueprintPermissionsBody } from '@portolan/contract/blueprint-permissions';
import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { JsonObject, Resource } from '@portolan/team-references';
import { notFound } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { teamNames } from '../../accounts/index.ts';
import {
  actionReferencesOf,
  changeActionPermissionsWithin,
  lockAction,
  presentActionRights,
  rewriteActionWithin,
} from '../../actions/maintenance.ts';
import { changeBlueprintWithin, changePermissionsWithin } from '../../blueprints/maintenance.ts';
import { editWebhookWithin, patchIntegrationWithin } from '../../integrations/maintenance.ts';
import { editPageWithin } from '../../pages/maintenance.ts';
import { replaceScorecardWithin } from '../../scorecards/maintenance.ts';
import type { MigrationsDeps } from '../migrations.deps.ts';

export type DocumentDeps = Pick<MigrationsDeps, 'blueprints' | 'catalog' | 'integrations'>;

/** Returns undefined to leave the document unchanged. */
type Edit = (document: JsonObject) => JsonObject | undefined;

/** Aborts the use case before it writes. */
class Unchanged extends Error {}

/**
 * Changes a document through its own use case, which locks, checks and records it, within the caller's unit of work.
 * `edit` receives the document as written, with the same pointers as the findings.
 * @throws AppError `not_found` if the document is gone, and any refusal of the use case
 */
export async function changeDocument(deps: DocumentDeps, work: Work, resource: Resource, edit: Edit): Promise<void> {
  try {
    await write(deps, work, resource, edit);
  } catch (error) {
    if (!(error instanceof Unchanged)) throw error;
  }
}

async function write(deps: DocumentDeps, work: Work, resource: Resource, edit: Edit): Promise<void> {
  const { kind, identifier } = resource;
  const edited = <Written>(written: object): Written => {
    const next = edit(plain(written));
    if (next === undefined) throw new Unchanged();
    return next as unknown as Written;
  };
  switch (kind) {
    case 'blueprint':
      await changeBlueprintWithin(deps.blueprints, work, identifier, (current) =>
        edited<BlueprintBody>({ identifier: current.identifier, ...current.definition }),
      );
      return;
    case 'blueprint-permissions':
      await changePermissionsWithin(work, identifier, (current) => {
        const { entities } = edited<typeof current>(current);
        return { entities: changedPolicies(plain(current.entities), plain(entities)) } as BlueprintPermissionsBody;
      });
      return;
    case 'action':
    case 'automation': {
      const { definition } = await lockedAction(work, identifier);
      await rewriteActionWithin(work, identifier, edited<ActionBody>({ identifier, ...definition }));
      return;
    }
    case 'action-permissions': {
      const { tx, actor } = work;
      const action = await lockedAction(work, identifier);
      const names = await teamNames(tx, actor.orgId, actor.model, actionReferencesOf(action));
      const current = presentActionRights(action, names);
      const policies = changedPolicies(plain(current), edited(current));
      await changeActionPermissionsWithin(work, identifier, policies as ActionPermissionsBody);
      return;
    }
    case 'integration':
      await patchIntegrationWithin(
        deps.integrations,
        work,
        identifier,
        ({ config }) => ({ config: edited<{ config: Record<string, unknown> | null }>({ config }).config }),
        { skipsResync: false, isRewritten: true },
      );
      return;
    case 'webhook':
      await editWebhookWithin(deps.integrations, work, identifier, (definition) => edited(definition));
      return;
    case 'page':
      await editPageWithin(work, identifier, (definition) => edited(definition));
      return;
    case 'scorecard':
      await replaceScorecardWithin(deps.catalog, work, resource.blueprint ?? '', identifier, (current) =>
        edited(current),
      );
      return;
    case 'page-permissions':
    case 'agent':
    case 'destination':
    case 'file':
      throw notFound('Document', identifier);
  }
}

/** Suggestions for rights only edit policies; the migration itself converts the lists of teams. */
function changedPolicies(before: JsonObject, after: JsonObject): Record<string, { policy: unknown }> {
  const changed = Object.entries(after).filter(([verb, grant]) => !isDeepStrictEqual(grant, before[verb]));
  return Object.fromEntries(
    changed.map(([verb, grant]) => [verb, { policy: (grant as JsonObject)['policy'] ?? null }]),
  );
}

async function lockedAction({ tx, actor }: Work, identifier: string) {
  const action = await lockAction(tx, actor.orgId, identifier);
  if (!action) throw notFound('Action', identifier);
  return action;
}

function plain(written: object): JsonObject {
  return JSON.parse(JSON.stringify(written)) as JsonObject;
}
