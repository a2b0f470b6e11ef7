import type { Json } from '@portolan/team-references';
import type { Body } from '../hcl/syntax.ts';
import { decoded, type Located, type Locator, mapEntries, mapItems, objectOf, pick } from './located.ts';
import type { TerraformResource } from './terraform-module.ts';

/** A resource of the provider as the document that the API knows, with its places. */
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
  readonly document: Located;
}

export function documentOf(resource: TerraformResource, locator: Locator): ProviderDocument | undefined {
  const given = bodyOf(resource.block.body, locator);
  const made = (kind: ProviderDocument['kind'], document: Located): ProviderDocument => ({ resource, kind, document });
  switch (resource.kind) {
    case 'blueprint':
    case 'system_blueprint':
      return made('blueprint', blueprint(given));
    case 'aggregation_properties':
      return made('blueprint', aggregated(given, mapEntries(pick(given, 'properties'), aggregation)));
    case 'aggregation_property':
      return made('blueprint', aggregated(given, objectOf({ aggregation: aggregation(given) })));
    case 'blueprint_permissions':
      return made('blueprint-permissions', objectOf({ entities: mapEntries(pick(given, 'entities'), withPolicy) }));
    case 'action':
      return made('action', action(given));
    case 'action_permissions':
      return made('action-permissions', mapEntries(pick(given, 'permissions'), withPolicy) ?? objectOf({}));
    case 'page':
      return made(
        'page',
        objectOf({
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
        objectOf({ config: decoded(pick(given, 'config')), identifier: pick(given, 'installation_id') }),
      );
    default:
      return undefined;
  }
}

/** Attributes, and blocks as objects of theirs. */
function bodyOf({ entries }: Body, locator: Locator): Located {
  const found = entries.map((entry) => [
    entry.name.text,
    entry.kind === 'attribute' ? locator.locate(entry.value) : bodyOf(entry.body, locator),
  ]);
  return objectOf(Object.fromEntries(found));
}

/** `{ string_props = { a = … }, number_props = { b = … } }` as `{ a, b }`. */
function flattened(properties: Located | undefined, change: (property: Located) => Located): Located {
  const groups = properties?.kind === 'object' ? [...properties.entries.values()] : [];
  const entries = groups.flatMap((group) => (group.kind === 'object' ? [...group.entries] : []));
  return objectOf(Object.fromEntries(entries.map(([key, property]) => [key, change(property)])));
}

function blueprint(given: Located): Located {
  return objectOf({
    identifier: pick(given, 'identifier'),
    schema: objectOf({ properties: flattened(pick(given, 'properties'), inWordsOfTheApi) }),
    relations: pick(given, 'relations'),
    mirrorProperties: pick(given, 'mirror_properties'),
    calculationProperties: pick(given, 'calculation_properties'),
  });
}

const aggregated = (given: Located, aggregationProperties: Located | undefined): Located =>
  objectOf({ identifier: pick(given, 'blueprint_identifier'), aggregationProperties });

const aggregation = (given: Located): Located =>
  objectOf({
    title: pick(given, 'title'),
    target: pick(given, 'target_blueprint_identifier'),
    query: decoded(pick(given, 'query')),
    pathFilter: mapItems(pick(given, 'path_filter'), inWordsOfTheApi),
  });

/** A grant, whose policy is a text of JSON. */
const withPolicy = (grant: Located): Located => changed(grant, { policy: decoded(pick(grant, 'policy')) });

function changed(located: Located, others: Readonly<Record<string, Located | undefined>>): Located {
  const entries = located.kind === 'object' ? Object.fromEntries(located.entries) : {};
  return objectOf({ ...entries, ...others });
}

function scorecard(given: Located): Located {
  const query = (part: Located | undefined): Located | undefined =>
    part && changed(part, { conditions: mapItems(pick(part, 'conditions'), decoded) });
  return changed(given, {
    filter: query(pick(given, 'filter')),
    rules: mapItems(pick(given, 'rules'), (rule) => changed(rule, { query: query(pick(rule, 'query')) })),
  });
}

function action(given: Located): Located {
  const form = pick(given, 'self_service_trigger');
  const automation = pick(given, 'automation_trigger');
  return objectOf({
    identifier: pick(given, 'identifier'),
    trigger: form === undefined ? automated(automation) : selfService(form),
    invocationMethod: invocation(given),
    approvalWebhook: pick(given, 'approval_webhook_notification'),
  });
}

function selfService(form: Located): Located {
  return objectOf({
    type: constant('self-service', form),
    blueprintIdentifier: pick(form, 'blueprint_identifier'),
    condition: decoded(pick(form, 'condition')),
    userInputs: objectOf({
      properties: flattened(pick(form, 'user_properties'), inWordsOfTheApi),
      required: jqQuery(pick(form, 'required_jq_query')),
      titles: mapEntries(pick(form, 'titles'), inWordsOfTheApi),
      steps: mapItems(pick(form, 'steps'), inWordsOfTheApi),
    }),
  });
}

function automated(automation: Located | undefined): Located {
  const events = automation?.kind === 'object' ? [...automation.entries].filter(([key]) => key.endsWith('_event')) : [];
  return objectOf({
    type: automation && constant('automation', automation),
    event: events[0] && inWordsOfTheApi(events[0][1]),
    condition: pick(automation, 'jq_condition'),
  });
}

function invocation(given: Located): Located | undefined {
  const upsert = pick(given, 'upsert_entity_method');
  if (upsert !== undefined) {
    const mapping = pick(upsert, 'mapping');
    return objectOf({
      blueprintIdentifier: pick(upsert, 'blueprint_identifier'),
      mapping: objectOf({
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

const jqQuery = (part: Located | undefined): Located | undefined => part && objectOf({ jqQuery: part });

/** Keys as the API writes them; `visible_jq_query = "…"` is `visible: {jqQuery}` there. */
function inWordsOfTheApi(located: Located): Located {
  if (located.kind === 'list') return { kind: 'list', items: located.items.map(inWordsOfTheApi) };
  if (located.kind === 'value') return located;
  const entries = [...located.entries].map(([key, value]): [string, Located] => {
    const base = /^(.+)_jq_query$/.exec(key)?.[1];
    const name = (base ?? key.replace(/^\w+_items$/, 'items')).replaceAll(/_(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return [name, base === undefined ? inWordsOfTheApi(value) : jqQuery(value)!];
  });
  return { kind: 'object', entries: new Map(entries) };
}

/** A value that the document has by its kind; it stands nowhere, and is shown where `near` begins. */
function constant(value: Json, near: Located): Located | undefined {
  const first = near.kind === 'object' ? [...near.entries.values()].find((each) => each.kind === 'value') : undefined;
  return first?.kind === 'value' ? { kind: 'value', value, place: { ...first.place } } : undefined;
}
