import { blueprintSearchQuery } from '@portolan/contract/search-query';
import { propertyName } from '@portolan/contract/search-values';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { outside } from '../../platform/text-authors.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { recordsUnder } from '../../platform/tools/tool-records.ts';
import { blueprintProperties, findBlueprint, listBlueprintAuthors } from '../blueprints/index.ts';
import { isClosed, type ReadDeps } from '../entities/index.ts';
import { aggregateEntities } from './aggregate-entities.ts';
import { countValues } from './count-values.ts';

/** The most groups of an answer that still fits into what a model reads of one result. */
const groupsMax = 200;

const by = z
  .strictObject({
    property: propertyName.optional(),
    relation: z.string().min(1).max(100).optional().describe('A relation, or $team'),
    scorecard: z.string().min(1).max(100).optional().describe('By its level'),
  })
  .refine((named) => Object.keys(named).length === 1, 'must name exactly one of property, relation and scorecard');

/** Figures over entities for a model; the same use cases as `POST /v1/entities/aggregate`. */
export function figuresTool(deps: ReadDeps): ToolDeclaration {
  return tool({
    name: 'get_figures',
    title: 'Get figures over entities',
    description:
      'Counts the entities of one blueprint by a value, largest group first: answers "most" and "per". Or computes one figure over a number property.',
    effect: 'read',
    scope: 'read:entities',
    audience: 'developer',
    texts: 'noted',
    recordsOf: recordsUnder({}),
    input: z.strictObject({
      blueprint: z.string().min(1),
      query: blueprintSearchQuery.optional().describe('As in search_entities'),
      by: by.optional(),
      func: z.enum(['sum', 'average', 'min', 'max', 'median']).optional(),
      property: propertyName.optional().describe('Of the figure'),
      limit: z.number().int().min(1).max(groupsMax).default(50),
    }),
    run: async ({ actor }, { blueprint, query, by: value, func, property, limit }) => {
      const ofBlueprint = { property: '$blueprint', operator: '=' as const, value: blueprint };
      const whole = { combinator: 'and' as const, rules: query ? [ofBlueprint, query] : [ofBlueprint] };
      if (value !== undefined && func === undefined) {
        await noteGroups(deps, actor, blueprint, value.property);
        const counted = await countValues(deps, actor, { func: 'countValues', query: whole, ...value });
        const groups = counted.groups.slice(0, limit);
        const left = counted.groups.length - groups.length + counted.groupsLeftOut;
        return { total: counted.total, groups, groupsLeftOut: left };
      }
      if (func === undefined || property === undefined || value !== undefined) {
        throw invalidRequest([{ path: '', message: 'must have either by, or func and property' }]);
      }
      const base = { query: whole, property, measureTimeBy: '$createdAt' };
      const body = func === 'average' ? { func, calculationBy: 'property' as const, ...base } : { func, ...base };
      return { value: await aggregateEntities(deps, actor, body) };
    },
  });
}

/** Groups are named by values: closed ones are words of the blueprint, and whoever wrote the others is not looked for. */
async function noteGroups(
  { database }: ReadDeps,
  { orgId, textsRead }: Actor,
  identifier: string,
  property: string | undefined,
): Promise<void> {
  if (!textsRead) return;
  const blueprint = property === undefined ? undefined : await findBlueprint(database, orgId, identifier);
  const declared = blueprint && blueprintProperties(blueprint)[property as string];
  if (!isClosed(declared)) return textsRead.add([outside], `names of groups of ${identifier}`);
  const [found] = await listBlueprintAuthors(database, orgId, [identifier]);
  textsRead.add(found?.authors ?? [outside], `the blueprint ${identifier}`);
}
