import {
  findManualItems,
  type JsonObject,
  type ManualItem,
  type OrganizationDocuments,
  parsePointer,
} from '@portolan/team-references';
import { findAttribute } from '../hcl/read-syntax.ts';
import { Locator, placeAt, toJson } from './located.ts';
import { resolveText } from './meanings.ts';
import { type ProviderDocument, toDocument } from './provider-documents.ts';
import type { TerraformModule } from './terraform-module.ts';

const variantsMax = 8;
const nothing = { actions: [], blueprints: [], integrations: [], webhooks: [], pages: [], scorecards: [], agents: [] };

/**
 * Rewrites expressions, templates and rules in the provider's resources if the organization's teams are known and the
 * text has a single place; otherwise notes them.
 */
export function rewriteExpressions(module: TerraformModule, organization: OrganizationDocuments): void {
  const seen = new Set<string>();
  // a derived identifier is a guess: the final one may differ
  const isSettled =
    organization.teams.length > 0 && organization.teams.every(({ identifier }) => identifier !== undefined);
  let variants = 1;
  for (let variant = 0; variant < Math.min(variants, variantsMax); variant++) {
    const locator = new Locator(module, variant);
    const documents = module.resources.flatMap((resource) => toDocument(resource, locator) ?? []);
    variants = Math.max(variants, locator.variants);
    const around = surroundingDocuments(documents, module, organization);
    for (const document of documents) {
      for (const item of findManualItems(toOrganization(document, organization), {}, around))
        report(item, document, isSettled, seen);
    }
  }
}

/** The organization extended by the blueprints and teams that the files declare. */
function surroundingDocuments(
  documents: readonly ProviderDocument[],
  module: TerraformModule,
  organization: OrganizationDocuments,
): OrganizationDocuments {
  const blueprints = documents
    .filter(({ kind }) => kind === 'blueprint')
    .map(({ document }) => ({ blueprint: toJson(document) as JsonObject, permissions: null }));
  const declared = new Set(blueprints.map(({ blueprint }) => blueprint['identifier']));
  const titles = module.resources
    .filter(({ kind }) => kind === 'team')
    .flatMap(({ block }) => resolveText(findAttribute(block.body, 'name')?.value, module) ?? []);
  return {
    ...organization,
    teams: organization.teams.length > 0 ? organization.teams : [...new Set(titles)].map((title) => ({ title })),
    blueprints: [
      ...organization.blueprints.filter(({ blueprint }) => !declared.has(blueprint['identifier']!)),
      ...blueprints,
    ],
  };
}

function toOrganization(
  { kind, document }: ProviderDocument,
  { model, teams }: OrganizationDocuments,
): OrganizationDocuments {
  const json = toJson(document) as JsonObject;
  const empty = { model, teams, ...nothing };
  switch (kind) {
    case 'blueprint':
      return { ...empty, blueprints: [{ blueprint: json, permissions: null }] };
    case 'blueprint-permissions':
      return { ...empty, blueprints: [{ blueprint: {}, permissions: json }] };
    case 'action':
      return { ...empty, actions: [{ action: json, permissions: null }] };
    case 'action-permissions':
      return { ...empty, actions: [{ action: {}, permissions: json }] };
    case 'page':
      return { ...empty, pages: [{ page: json, permissions: null }] };
    case 'scorecard':
      return { ...empty, scorecards: [json] };
    case 'webhook':
      return { ...empty, webhooks: [json] };
    case 'integration':
      return { ...empty, integrations: [json] };
  }
}

function report(
  item: ManualItem,
  { resource, document }: ProviderDocument,
  isSettled: boolean,
  seen: Set<string>,
): void {
  if (item.verdict === 'mentions') return;
  const steps = parsePointer(item.pointer);
  const target = edited(item, steps);
  const { place, isExact } = placeAt(document, target?.steps ?? steps);
  const file = place?.file ?? resource.file;
  const start = place?.start ?? resource.block.start;
  const key = `${file.path} ${start}`;
  if (seen.has(key)) return;
  seen.add(key);
  const rule = `terraform/${item.area}`;
  const isEdited = isSettled && isExact && target !== undefined && place?.write !== undefined;
  if (isEdited) file.edits.push({ start, end: place.end, after: place.write!(target.text), rule, message: item.why });
  if (isEdited && !item.suggestion?.isPartial) return;
  const message = isEdited ? item.suggestion!.explanation : item.why;
  file.notes.push({ start, rule, message, breaks: item.verdict === 'breaks' });
}

/** The single text that a suggestion changes, either a text itself or one key of a rule. */
function edited(
  { before, suggestion }: ManualItem,
  steps: readonly string[],
): { readonly steps: readonly string[]; readonly text: string } | undefined {
  if (suggestion === undefined || suggestion.edits.length > 1) return undefined;
  const { value } = suggestion;
  if (typeof value === 'string') return { steps, text: value };
  if (typeof value !== 'object' || value === null || typeof before !== 'object' || before === null) return undefined;
  const keys = Object.keys(value).filter(
    (key) => JSON.stringify((value as JsonObject)[key]) !== JSON.stringify((before as JsonObject)[key]),
  );
  const [key, ...others] = keys;
  const inner = key === undefined ? undefined : (value as JsonObject)[key];
  if (others.length > 0 || key === undefined) return undefined;
  if (typeof inner === 'string') return { steps: [...steps, key], text: inner };
  return edited(
    { before: (before as JsonObject)[key] ?? null, suggestion: { ...suggestion, value: inner ?? null } } as ManualItem,
    [...steps, key],
  );
}
