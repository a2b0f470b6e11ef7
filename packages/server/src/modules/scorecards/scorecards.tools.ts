import { type Scorecard, scorecardBody } from '@portolan/contract/scorecards';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { definition, readDefinition } from '../../platform/tools/definition.ts';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import type { CatalogDeps } from '../entities/index.ts';
import { listScorecardAuthors } from '../scorecard-rules/index.ts';
import { getScorecard, listAllScorecards, listScorecards } from './read-scorecards.ts';
import { createScorecard, deleteScorecard, replaceScorecard } from './write-scorecards.ts';

const blueprint = z.string().min(1).describe('Identifier of the blueprint');
const identifier = z.string().min(1).describe('Identifier of the scorecard');

export function scorecardTools(deps: CatalogDeps): ToolDeclaration[] {
  return [listTool(deps), getTool(deps), upsertTool(deps), deleteTool(deps)];
}

function listTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'list_scorecards',
    title: 'List scorecards',
    description:
      'Lists the standards (scorecards) of one blueprint or of all: levels, and how many rules each has. get_scorecard returns the rules; which level an entity reached is read with the entity.',
    effect: 'read',
    scope: 'read:scorecards',
    audience: 'developer',
    texts: 'noted',
    aliases: ['get_scorecards'],
    input: z.strictObject({ blueprint: blueprint.optional(), ...pageArguments }),
    run: async ({ actor }, input) => {
      const all =
        input.blueprint === undefined
          ? await listAllScorecards(deps, actor)
          : await listScorecards(deps, actor, input.blueprint);
      const { items, ...page } = pageOfAll(all, (each) => `${each.blueprint}/${each.identifier}`, input);
      await noteTexts(deps, actor, items);
      return { ...page, scorecards: items.map(shortForm) };
    },
  });
}

async function noteTexts(
  { database }: CatalogDeps,
  { orgId, textsRead }: Actor,
  shown: readonly Pick<Scorecard, 'blueprint' | 'identifier'>[],
): Promise<void> {
  if (!textsRead) return;
  const names = new Set(shown.map(({ blueprint: its, identifier: name }) => `${its}/${name}`));
  for (const { blueprint: its, identifier: name, authors } of await listScorecardAuthors(database, orgId)) {
    if (names.has(`${its}/${name}`)) textsRead.add(authors, `the scorecard ${name} of ${its}`);
  }
}

function shortForm({ identifier: name, title, blueprint: its, levels, rules }: Scorecard) {
  return {
    identifier: name,
    title,
    blueprint: its,
    levels: levels.map((level) => level.title),
    rules: rules.length,
  };
}

function getTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'get_scorecard',
    title: 'Get a scorecard',
    description: 'Returns one scorecard whole: levels, filter and every rule with its conditions.',
    effect: 'read',
    scope: 'read:scorecards',
    audience: 'developer',
    texts: 'noted',
    input: z.strictObject({ blueprint, identifier }),
    run: async ({ actor }, input) => {
      const scorecard = await getScorecard(deps, actor, input.blueprint, input.identifier);
      await noteTexts(deps, actor, [scorecard]);
      return { scorecard };
    },
  });
}

function upsertTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'upsert_scorecard',
    title: 'Create or replace a scorecard',
    description:
      'Creates the scorecard if its identifier is new in the blueprint, else replaces it whole; read it first to keep what shall stay.',
    effect: 'destructive',
    scope: ['create:scorecards', 'update:scorecards'],
    audience: 'builder',
    aliases: ['create_scorecard', 'update_scorecard'],
    isIdempotent: true,
    input: z.strictObject({
      blueprint,
      scorecard: definition(
        'Like {"identifier": "readiness", "title": "Readiness", "levels": [{"title": "Basic", "color": "paleBlue"}, {"title": "Gold", "color": "gold"}], "rules": [{"identifier": "has_owner", "title": "Has an owner", "level": "Gold", "query": {"combinator": "and", "conditions": [{"property": "$team", "operator": "isNotEmpty"}]}}]}. The first level is the base and has no rules.',
      ),
    }),
    run: async ({ actor }, input) => {
      const body = readDefinition(scorecardBody, input.scorecard, 'scorecard');
      const known = await listScorecards(deps, actor, input.blueprint);
      const exists = known.some((each) => each.identifier === body.identifier);
      const scorecard = exists
        ? await replaceScorecard(deps, actor, input.blueprint, body.identifier, body)
        : await createScorecard(deps, actor, input.blueprint, body);
      return { created: !exists, scorecard };
    },
  });
}

function deleteTool(deps: CatalogDeps): ToolDeclaration {
  return tool({
    name: 'delete_scorecard',
    title: 'Delete a scorecard',
    description: 'Deletes one scorecard of a blueprint, and what it found on entities.',
    effect: 'destructive',
    scope: 'delete:scorecards',
    audience: 'builder',
    input: z.strictObject({ blueprint, identifier }),
    run: async ({ actor }, input) => {
      await deleteScorecard(deps, actor, input.blueprint, input.identifier);
      return { deleted: input.identifier };
    },
  });
}
