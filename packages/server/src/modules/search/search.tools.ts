import type { Entity } from '@portolan/contract/entities';
import { type SortKey, sortKey } from '@portolan/contract/search';
import { blueprintSearchQuery, type SearchQuery } from '@portolan/contract/search-query';
import { z } from 'zod';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { recordsUnder } from '../../platform/tools/tool-records.ts';
import {
  createPresenter,
  getEntity,
  getPastEntity,
  type PastDeps,
  presentEntities,
  type ReadDeps,
} from '../entities/index.ts';
import { figuresTool } from './figures.tool.ts';
import { countBlueprint, searchBlueprint, searchEverything } from './search-entities.ts';

const limit = z.number().int().min(1).max(200).default(25).describe('How many entities at most');
const cursor = z.string().optional().describe('`next` of the answer before, for the next page');
const blueprint = z.string().min(1).describe('Identifier of the blueprint');
const query = blueprintSearchQuery.describe(
  'A search query: {"combinator": "and" | "or", "rules": [{"property", "operator", "value"}]}. Operators: = != > >= < <= contains doesNotContains containsAny beginsWith endsWith in notIn isEmpty isNotEmpty between relatedTo. Properties of the blueprint by key, and $identifier $title $team $createdAt $updatedAt. No owner: {"property": "$team", "operator": "isEmpty"}. Along relations: {"property": {"path": ["dependsOn"]}, "operator": "matchAny", "value"}; backwards with "fromBlueprint" beside path. Levels, within a blueprint: {"scorecard", "operator": "in", "value": ["Gold"]}.',
);
const isMoment = (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success;
const sameQuery = blueprintSearchQuery.optional().describe('A search query, as in search_entities');
const sort = z.array(sortKey).max(3).optional().describe('As in [{"property": "openedAt", "order": "desc"}]');

/** The catalog's reads, described for a model; each calls the use case that HTTP calls. */
export function catalogTools(deps: PastDeps): ToolDeclaration[] {
  return [listTool(deps), getTool(deps), manyTool(deps), searchTool(deps), countTool(deps), figuresTool(deps)];
}

function listTool(deps: ReadDeps): ToolDeclaration {
  return tool({
    name: 'list_entities',
    title: 'List entities',
    description:
      'Lists entities of one blueprint, oldest first, with their total number. Use search_entities when the question names a condition.',
    effect: 'read',
    scope: 'read:entities',
    audience: 'developer',
    texts: 'noted',
    aliases: ['get_entities'],
    recordsOf: recordsUnder({ entities: 'entity' }),
    input: z.strictObject({ blueprint, query: sameQuery, include: includeKeys(), limit, cursor }),
    run: ({ actor }, input) => readPage(deps, actor, input),
  });
}

function getTool(deps: PastDeps): ToolDeclaration {
  return tool({
    name: 'get_entity',
    title: 'Get an entity',
    description: 'Returns one entity with all its properties, relations and owning teams.',
    effect: 'read',
    scope: 'read:entities',
    audience: 'developer',
    texts: 'noted',
    recordsOf: recordsUnder({ entity: 'entity' }, { hasFigures: false }),
    input: z.strictObject({
      blueprint,
      identifier: z.string().min(1).describe('Identifier of the entity'),
      // a pattern of moments would take as much of a prompt as the rest of the tool
      asOf: z.string().refine(isMoment, 'must be an ISO date-time').optional().describe('ISO date-time: as it was'),
    }),
    run: async ({ actor }, input) => {
      if (input.asOf !== undefined) {
        return getPastEntity(deps, actor, input.blueprint, input.identifier, new Date(input.asOf), {}, '/asOf');
      }
      const found = await getEntity(deps, actor, input.blueprint, input.identifier);
      const [entity] = await presentEntities(deps, actor, found.blueprint, [found.entity]);
      return { entity };
    },
  });
}

function manyTool(deps: ReadDeps): ToolDeclaration {
  return tool({
    name: 'get_entities_by_identifiers',
    title: 'Get entities by identifier',
    description:
      'Returns several entities of one blueprint by their identifiers; those that do not exist are left out.',
    effect: 'read',
    scope: 'read:entities',
    audience: 'developer',
    texts: 'noted',
    recordsOf: recordsUnder({ entities: 'entity' }),
    input: z.strictObject({ blueprint, identifiers: z.array(z.string().min(1)).min(1).max(100) }),
    run: async ({ actor }, input) => {
      const named: SearchQuery = {
        combinator: 'and',
        rules: [{ property: '$identifier', operator: 'in', value: input.identifiers }],
      };
      const page = await searchBlueprint(deps, actor, input.blueprint, { query: named });
      return { entities: await presentEntities(deps, actor, page.blueprint, page.entities) };
    },
  });
}

function searchTool(deps: ReadDeps): ToolDeclaration {
  return tool({
    name: 'search_entities',
    title: 'Search entities',
    description:
      'Finds entities by conditions on their properties, relations, owners and dates, or by text in title and identifier, and tells how many there are. Without a blueprint it searches all of them.',
    effect: 'read',
    scope: 'read:entities',
    audience: 'developer',
    texts: 'noted',
    recordsOf: recordsUnder({ entities: 'entity' }),
    input: z.strictObject({
      blueprint: blueprint.optional(),
      query: query.optional(),
      text: z.string().min(1).max(200).optional().describe('Text that the title or identifier contains'),
      sort,
      include: includeKeys(),
      limit,
      cursor,
    }),
    run: async ({ actor }, { text, ...input }) => {
      const asked = withText(input.query, text);
      if (input.blueprint !== undefined)
        return readPage(deps, actor, { ...input, blueprint: input.blueprint, query: asked });
      const found = await searchEverything(deps, actor, asked ?? { combinator: 'and', rules: [] }, input.limit);
      const present = await createPresenter(deps, actor, found.blueprints);
      const entities = (await present(found.entities)).map((entity) => toToolEntity(entity, input.include));
      return { total: entities.length, entities };
    },
  });
}

function countTool(deps: ReadDeps): ToolDeclaration {
  return tool({
    name: 'count_entities',
    title: 'Count entities',
    description: 'Counts the entities of one blueprint, all or those that match a query, without reading them.',
    effect: 'read',
    scope: 'read:entities',
    audience: 'developer',
    texts: 'none',
    recordsOf: recordsUnder({}),
    input: z.strictObject({ blueprint, query: sameQuery }),
    run: async ({ actor }, input) => ({ count: await countBlueprint(deps, actor, input.blueprint, input.query) }),
  });
}

function includeKeys() {
  return z.array(z.string()).max(100).optional().describe('Property and relation keys to return; all if absent');
}

interface PageRequest {
  readonly blueprint: string;
  readonly query?: SearchQuery | undefined;
  readonly sort?: readonly SortKey[] | undefined;
  readonly include?: readonly string[] | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function readPage(deps: ReadDeps, actor: Parameters<typeof searchBlueprint>[1], asked: PageRequest) {
  const { blueprint: identifier, limit: size, cursor: from } = asked;
  const page = await searchBlueprint(deps, actor, identifier, {
    query: asked.query,
    limit: size,
    from,
    sort: asked.sort,
  });
  const isWhole = page.next === undefined && from === undefined;
  const total = isWhole ? page.entities.length : await countBlueprint(deps, actor, identifier, asked.query);
  const presented = await presentEntities(deps, actor, page.blueprint, page.entities);
  const entities = presented.map((entity) => toToolEntity(entity, asked.include));
  return { total, entities, ...(page.next ? { next: page.next } : {}) };
}

/** Compact for a model's context: no empty values, no times but the last change. */
function toToolEntity(entity: Partial<Entity>, include: readonly string[] | undefined) {
  const { identifier, title, blueprint: its, team, properties, relations, updatedAt } = entity;
  const kept = (values: unknown) =>
    Object.fromEntries(
      Object.entries(values as object).filter(
        ([key, value]) =>
          (include === undefined || include.includes(key)) &&
          value !== null &&
          !(Array.isArray(value) && value.length === 0),
      ),
    );
  return {
    identifier,
    title: title ?? identifier,
    blueprint: its,
    team,
    properties: kept(properties),
    relations: kept(relations),
    updatedAt,
  };
}

function withText(asked: SearchQuery | undefined, text: string | undefined): SearchQuery | undefined {
  if (text === undefined) return asked;
  const byText: SearchQuery = {
    combinator: 'or',
    rules: [
      { property: '$title', operator: 'contains', value: text },
      { property: '$identifier', operator: 'contains', value: text },
    ],
  };
  return asked ? { combinator: 'and', rules: [asked, byText] } : byText;
}
