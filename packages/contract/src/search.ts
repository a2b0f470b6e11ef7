import { z } from 'zod';
import { asOfPage } from './as-of.ts';
import { blueprintParams } from './blueprints.ts';
import { entityReadQuery, entitySchema } from './entities.ts';
import { operation } from './operation.ts';
import { blueprintSearchQuery, searchQuery } from './search-query.ts';
import { moment, propertyName, scalar, text } from './search-values.ts';
import { queryBoolean } from './wire.ts';

export { searchQuery } from './search-query.ts';

const someEntities = z.array(entitySchema.partial());

export const searchEntities = operation({
  id: 'searchEntities',
  reads: 'standby',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/entities/search',
  tag: 'Search',
  summary: 'Search entities of all blueprints',
  description:
    'A rule on a property that a blueprint does not have matches none of its entities. With `allow_partial_results=true` blueprints that could not be searched are named in `failedBlueprints` instead of failing the request.',
  access: 'token',
  query: entityReadQuery.extend({ allow_partial_results: queryBoolean() }),
  body: searchQuery,
  answer: z.object({
    ok: z.literal(true),
    entities: someEntities,
    matchingBlueprints: z.array(z.string()),
    failedBlueprints: z.array(z.string()).optional(),
  }),
  errors: [],
});

/** Entities without a value come last in both orders. */
export const sortKey = z.strictObject({ property: propertyName, order: z.enum(['asc', 'desc']).default('asc') });
export type SortKey = z.output<typeof sortKey>;

export const searchBlueprintEntities = operation({
  id: 'searchBlueprintEntities',
  reads: 'standby',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/{blueprint_identifier}/entities/search',
  tag: 'Search',
  summary: 'Search the entities of one blueprint, page by page',
  description:
    'Pages are stable: without `sort`, entities are ordered by the time they were created. `next` is absent on the last page, and belongs to the `sort` it was given for. With `as_of` the entities are answered as they were at that moment, those that were deleted since (for administrators) last; a page may then have fewer than `limit`, `sort` is refused, and so are rules about what the journal does not tell: computed properties, scorecards, paths over relations. The token needs the scope `read:audit-log` for it too.',
  access: 'token',
  params: blueprintParams,
  body: z.object({
    query: blueprintSearchQuery.optional(),
    include: z.array(z.string()).optional(),
    exclude: z.array(z.string()).optional(),
    limit: z.number().int().min(1).max(1000).default(200),
    from: z.string().nullable().optional(),
    sort: z.array(sortKey).max(3).optional(),
    as_of: z.iso.datetime({ offset: true, error: 'must be an ISO date-time' }).optional(),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    entities: someEntities,
    next: z.string().optional(),
    asOf: asOfPage.optional(),
  }),
  errors: ['not_found', 'history_not_kept'],
});

export const searchByDatasource = operation({
  id: 'searchByDatasource',
  reads: 'standby',
  workClass: 'bulk',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/entities/datasource-entities',
  tag: 'Search',
  summary: 'List the entities that an integration wrote, page by page',
  description:
    'Matches entities whose `$datasource` starts with the prefix and ends with the suffix; with `before`, those that were neither changed nor written again since (an Ocean integration gets the ones it wrote again unchanged too while it reports a resync). Case counts. Without `limit` all of them are answered.',
  access: 'token',
  query: entityReadQuery,
  body: z.object({
    datasource_prefix: text.max(1000).default(''),
    datasource_suffix: text.max(1000).default(''),
    before: moment.nullable().optional(),
    limit: z.number().int().min(1).max(5000).optional(),
    from: z.string().nullable().optional(),
  }),
  unknownFields: 'open',
  answer: z.object({ ok: z.literal(true), entities: someEntities, next: z.string().optional() }),
  errors: [],
});

export const topSearch = operation({
  id: 'topSearch',
  reads: 'standby',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/entities/top-search',
  tag: 'Search',
  summary: 'Find entities by words of their title, identifier and text properties',
  description:
    'Every word must occur, the last may be incomplete. Best matches first: titles before identifiers before properties. Blueprints with `includeInGlobalSearch: false` are left out.',
  access: 'token',
  body: z.object({
    text: text.min(1).max(200),
    blueprints: z.array(text).max(100).optional(),
    limit: z.number().int().min(1).max(50).default(20),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    entities: z.array(entitySchema.pick({ identifier: true, title: true, icon: true, blueprint: true, team: true })),
  }),
  errors: [],
});

export const groupBlueprintEntities = operation({
  id: 'groupBlueprintEntities',
  reads: 'standby',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/{blueprint_identifier}/entities/group',
  tag: 'Search',
  summary: 'Count the entities of one blueprint by the values of a property or relation',
  description:
    'An entity with several values is in several groups, one without a value in the group `null`. Largest groups first.',
  access: 'token',
  params: blueprintParams,
  body: z.object({
    query: blueprintSearchQuery.optional(),
    groupBy: propertyName,
    limit: z.number().int().min(1).max(1000).default(200),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    groups: z.array(z.object({ value: z.union([scalar, z.json()]), count: z.number() })),
    total: z.number(),
  }),
  errors: ['not_found'],
});

const countedMax = 20;

export const countBlueprintValues = operation({
  id: 'countBlueprintValues',
  reads: 'standby',
  method: 'POST',
  isReadOnly: true,
  path: '/v1/blueprints/{blueprint_identifier}/entities/value-counts',
  tag: 'Search',
  summary: 'Count the entities of one blueprint by the values of several properties at once',
  description: `Like \`group\`, for up to ${countedMax} properties, relations and scorecards in one request: largest groups first, an entity without a value in the group \`null\`. \`scorecard#<identifier>\` counts levels, and leaves out entities that the scorecard does not evaluate. What the blueprint does not have, or hides from you, has no groups. \`groupsLeftOut\` says how many values are beyond \`limit\`; the answer has the properties in the order of the request.`,
  access: 'token',
  params: blueprintParams,
  body: z.object({
    query: blueprintSearchQuery.optional(),
    properties: z.array(propertyName).min(1).max(countedMax),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  unknownFields: 'closed',
  answer: z.object({
    ok: z.literal(true),
    counts: z.array(
      z.object({
        property: z.string(),
        groups: z.array(z.object({ value: z.union([scalar, z.json()]), count: z.number() })),
        groupsLeftOut: z.number(),
      }),
    ),
    total: z.number(),
  }),
  errors: ['not_found'],
});

export const searchOperations = [
  searchEntities,
  searchBlueprintEntities,
  searchByDatasource,
  topSearch,
  groupBlueprintEntities,
  countBlueprintValues,
] as const;
