import { rewrite } from '@portolan/jq';
import { createCollector } from './collect.ts';
import type { JsonObject, OrganizationDocuments, ResourceKind } from './documents.ts';
import { kindOfAction, toResource } from './documents-by-resource.ts';
import type { ManualItem } from './plan.ts';
import {
  objectAt,
  type ReferenceContext,
  type ReferenceOptions,
  referenceContext,
  toText,
} from './reference-context.ts';
import { actionBlueprint, walkAction } from './walk/walk-action.ts';
import { walkBlueprint } from './walk/walk-blueprint.ts';
import { walkAgent, walkDestination, walkScorecard } from './walk/walk-others.ts';
import { walkPage } from './walk/walk-page.ts';
import { walkActionPermissions, walkBlueprintPermissions } from './walk/walk-permissions.ts';
import { walkIntegration, walkWebhook } from './walk/walk-sources.ts';

/**
 * All references to teams that the migration leaves to people, with a suggestion where possible; `planAutomatic` has
 * the automatic changes. Parses every expression once. If `documents` is only a part of an organization, `around`
 * supplies the context.
 */
export function findManualItems(
  documents: OrganizationDocuments,
  options: ReferenceOptions = {},
  around: OrganizationDocuments = documents,
): ManualItem[] {
  const world = referenceContext(around, options);
  const items: ManualItem[] = [];
  const collect = (kind: ResourceKind, document: JsonObject, named = document) =>
    createCollector(world, toResource(kind, named), document, items);
  for (const document of documents.blueprints) {
    const { blueprint, permissions } = document;
    walkBlueprint(collect('blueprint', blueprint), document, options.impliedRewrites === false);
    if (permissions === null) continue;
    const collector = collect('blueprint-permissions', permissions, blueprint);
    walkBlueprintPermissions(collector, permissions, toText(blueprint['identifier']));
  }
  for (const { action, permissions } of documents.actions) {
    const trigger = objectAt(action, 'trigger');
    walkAction(collect(kindOfAction(action), action), action);
    if (permissions === null) continue;
    const userInputs = objectAt(typeof action['trigger'] === 'object' ? trigger : action, 'userInputs');
    const collector = collect('action-permissions', permissions, action);
    walkActionPermissions(collector, permissions, userInputs, actionBlueprint(action, trigger));
  }
  for (const integration of documents.integrations) walkIntegration(collect('integration', integration), integration);
  for (const webhook of documents.webhooks) walkWebhook(collect('webhook', webhook), webhook);
  for (const { page } of documents.pages) walkPage(collect('page', page), page);
  for (const scorecard of documents.scorecards) walkScorecard(collect('scorecard', scorecard), scorecard);
  for (const agent of documents.agents) walkAgent(collect('agent', agent), agent);
  for (const destination of documents.destinations ?? []) {
    walkDestination(collect('destination', destination), destination);
  }
  return addMirrors(items, documents, world);
}

/**
 * Suggests a mirror of the titles for calculations that output teams without naming a title, so that people still see
 * titles.
 */
function addMirrors(
  items: readonly ManualItem[],
  documents: OrganizationDocuments,
  world: ReferenceContext,
): ManualItem[] {
  if (world.model === 'blueprints') return [...items];
  const blueprints = new Map(documents.blueprints.map(({ blueprint }) => [toText(blueprint['identifier']), blueprint]));
  return items.map((item) => {
    if (item.area !== 'calculation' || item.suggestion !== undefined || item.verdict !== 'review') return item;
    if (!item.references.every(({ kind, text }) => kind === 'team' && text === '.team')) return item;
    const blueprint = blueprints.get(item.resource.identifier);
    const expression = item.expression!;
    const key = 'owner_titles';
    const isTaken = blueprint === undefined || world.blueprints.get(item.resource.identifier)?.properties.has(key);
    if (isTaken) return item;
    const value = rewrite(expression, [{ kind: 'path', from: ['team'], to: ['properties', key] }]).source;
    if (value === expression) return item;
    return {
      ...item,
      suggestion: {
        value,
        explanation: `Keeps the titles: a mirror property "${key}" reads them from the teams. Only needed where people read them; otherwise leave the expression as it is.`,
        edits: [
          { pointer: `/mirrorProperties/${key}`, value: { title: 'Owners', path: '$team.$title' } },
          { pointer: item.pointer, value },
        ],
      },
    };
  });
}
