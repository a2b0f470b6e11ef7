import type { Json } from '@portolan/team-references';
import type { Body } from '../hcl/syntax.ts';
import { decoded, type LocatedNode, type Locator, mapEntries, mapItems, pick, toLocatedObject } from './located.ts';
import type { TerraformResource } from './terraform-module.ts';

/** A provider resource as the equivalent API document, with source places. */
export interface ProviderDocument {
  readonly resource: TerraformResource;
  readonly kind:
    | 'blueprint'
    | 'blueprint-permissions'
    | 'action'
    | 'action-permissions'
    | 'page'
    | 'scorecard'
    | 'webhook'
    | 'integration';
  readonly document: LocatedNode;
}

export function toDocument(resource: TerraformResource, locator: Locator): ProviderDocument | undefined {
  const given = toLocatedBody(resource.block.body, locator);
  const made = (kind: ProviderDocument['kind'], document: LocatedNode): ProviderDocument => ({
    resource,
    kind,
    document,
  });
  switch (resource.kind) {
    case 'blueprint':
    case 'system_blueprint':
      return made('blueprint', blueprint(given));
    case 'aggregation_properties':
      return made('blueprint', aggregated(given, mapEntries(pick(given, 'properties'), aggregation)));
    case 'aggregation_property':
      return made('blueprint', aggregated(given, toLocatedObject({ aggregation: aggregation(given) })));
    case 'blueprint_permissions':
      return made(
        'blueprint-permissions',
        toLocatedObject({ entities: mapEntries(pick(given, 'entities'), withPolicy) }),
      );
    case 'action':
      return made('action', action(given));
    case 'action_permissions':
      return made('action-permissions', mapEntries(pick(given, 'permissions'), withPolicy) ?? toLocatedObject({}));
    case 'page':
      return made(
        'page',
        toLocatedObject({
          identifier: pick(given, 'identifier'),
          widgets: mapItems(pick(given, 'widgets'), decoded),
          pageFilters: mapItems(pick(given, 'page_filters'), decoded),
        }),
      );
    case 'scorecard':
      return made('scorecard', scorecard(given));
    case 'webhook':
      return made('webhook', given);
    case 'integration':
      return made(
        'integration',
        toLocatedObject({ config: decoded(pick(given, 'config')), identifier: pick(given, 'installation_id') }),
      );
    default:
      return undefined;
  }
}

/** Attributes as they are, and blocks as nested objects. */
function toLocatedBody({ entries }: Body, locator: Locator): LocatedNode {
  const found = entries.map((entry) => [
    entry.name.text,
    entry.kind === 'attribute' ? locator.locate(entry.value) : toLocatedBody(entry.body, locator),
  ]);
  return toLocatedObject(Object.fromEntries(found));
}

/** `{ string_props = { a = … }, number_props = { b = … } }` as `{ a, b }`. */
function flattened(properties: LocatedNode | undefined, change: (property: LocatedNode) => LocatedNode): LocatedNode {
  const groups = properties?.kind === 'object' ? [...properties.entries.values()] : [];
  const entries = groups.flatMap((group) => (group.kind === 'object' ? [...group.entries] : []));
  return toLocatedObject(Object.fromEntries(entries.map(([key, property]) => [key, change(property)])));
}

function blueprint(given: LocatedNode): LocatedNode {
  return toLocatedObject({
    identifier: pick(given, 'identifier'),
    schema: toLocatedObject({ properties: flattened(pick(given, 'properties'), inWordsOfTheApi) }),
    relations: pick(given, 'relations'),
    mirrorProperties: pick(given, 'mirror_properties'),
    calculationProperties: pick(given, 'calculation_properties'),
  });
}

const aggregated = (given: LocatedNode, aggregationProperties: LocatedNode | undefined): LocatedNode =>
  toLocatedObject({ identifier: pick(given, 'blueprint_identifier'), aggregationProperties });

const aggregation = (given: LocatedNode): LocatedNode =>
  toLocatedObject({
    title: pick(given, 'title'),
    target: pick(given, 'target_blueprint_identifier'),
    query: decoded(pick(given, 'query')),
    pathFilter: mapItems(pick(given, 'path_filter'), inWordsOfTheApi),
  });

/** A grant, with its policy parsed from JSON text. */
const withPolicy = (grant: LocatedNode): LocatedNode => changed(grant, { policy: decoded(pick(grant, 'policy')) });

function changed(located: LocatedNode, others: Readonly<Record<string, LocatedNode | undefined>>): LocatedNode {
  const entries = located.kind === 'object' ? Object.fromEntries(located.entries) : {};
  return toLocatedObject({ ...entries, ...others });
}

function scorecard(given: LocatedNode): LocatedNode {
  const query = (part: LocatedNode | undefined): LocatedNode | undefined =>
    part && changed(part, { conditions: mapItems(pick(part, 'conditions'), decoded) });
  return changed(given, {
    filter: query(pick(given, 'filter')),
    rules: mapItems(pick(given, 'rules'), (rule) => changed(rule, { query: query(pick(rule, 'query')) })),
  });
}

function action(given: LocatedNode): LocatedNode {
  const form = pick(given, 'self_service_trigger');
  const automation = pick(given, 'automation_trigger');
  return toLocatedObject({
    identifier: pick(given, 'identifier'),
    trigger: form === undefined ? automated(automation) : selfService(form),
    invocationMethod: invocation(given),
    approvalWebhook: pick(given, 'approval_webhook_notification'),
  });
}

function selfService(form: LocatedNode): LocatedNode {
  return toLocatedObject({
    type: constant('self-service', form),
    blueprintIdentifier: pick(form, 'blueprint_identifier'),
    condition: decoded(pick(form, 'condition')),
    userInputs: toLocatedObject({
      properties: flattened(pick(form, 'user_properties'), inWordsOfTheApi),
      required: jqQuery(pick(form, 'required_jq_query')),
      titles: mapEntries(pick(form, 'titles'), inWordsOfTheApi),
      steps: mapItems(pick(form, 'steps'), inWordsOfTheApi),
    }),
  });
}

function automated(automation: LocatedNode | undefined): LocatedNode {
  const events = automation?.kind === 'object' ? [...automation.entries].filter(([key]) => key.endsWith('_event')) : [];
  return toLocatedObject({
    type: automation && constant('automation', automation),
    event: events[0] && inWordsOfTheApi(events[0][1]),
    condition: pick(automation, 'jq_condition'),
  });
}

function invocation(given: LocatedNode): LocatedNode | undefined {
  const upsert = pick(given, 'upsert_entity_method');
  if (upsert !== undefined) {
    const mapping = pick(upsert, 'mapping');
    return toLocatedObject({
      blueprintIdentifier: pick(upsert, 'blueprint_identifier'),
      mapping: toLocatedObject({
        identifier: pick(mapping, 'identifier'),
        title: pick(upsert, 'title'),
        team: pick(mapping, 'teams_jq'),
        properties: decoded(pick(mapping, 'properties')),
        relations: decoded(pick(mapping, 'relations')),
      }),
    });
  }
  const methods = given.kind === 'object' ? [...given.entries].filter(([key]) => key.endsWith('_method')) : [];
  return methods[0] && mapEntries(methods[0][1], (part) => decoded(part));
}

const jqQuery = (part: LocatedNode | undefined): LocatedNode | undefined => part && toLocatedObject({ jqQuery: part });

/** Renames keys to those of the API; `visible_jq_query = "…"` becomes `visible: {jqQuery}`. */
function inWordsOfTheApi(located: LocatedNode): LocatedNode {
  if (located.kind === 'list') return { kind: 'list', items: located.items.map(inWordsOfTheApi) };
  if (located.kind === 'value') return located;
  const entries = [...located.entries].map(([key, value]): [string, LocatedNode] => {
    const base = /^(.+)_jq_query$/.exec(key)?.[1];
    const name = (base ?? key.replace(/^\w+_items$/, 'items')).replaceAll(/_(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return [name, base === undefined ? inWordsOfTheApi(value) : jqQuery(value)!];
  });
  return { kind: 'object', entries: new Map(entries) };
}

/** A value implied by the kind of resource. It has no place of its own and is reported at the start of `near`. */
function constant(value: Json, near: LocatedNode): LocatedNode | undefined {
  const first = near.kind === 'object' ? [...near.entries.values()].find((each) => each.kind === 'value') : undefined;
  return first?.kind === 'value' ? { kind: 'value', value, place: { ...first.place } } : undefined;
}
