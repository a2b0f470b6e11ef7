import { compile, JqError, replaceSingleQuotes } from '@portolan/jq';
import { describe, expect, test } from 'vitest';
import { findInExpression } from '../src/find-in-expression.ts';
import type { Json, JsonObject } from '../src/index.ts';
import { referenceContext } from '../src/reference-context.ts';
import { migrateEntity } from '../src/samples.ts';
import { contexts, goldens } from './goldens.ts';
import { organization } from './organization.ts';

const worlds = { legacy: referenceContext(organization('legacy')), beta: referenceContext(organization('beta')) };
const expressionSink = (context: keyof typeof contexts) =>
  context === 'calc' || context === 'desk' ? 'value' : 'truth';

test('the corpus is as large as promised', () => expect(goldens.length).toBeGreaterThanOrEqual(150));

test.each(goldens)('%s %s: %s', (model, context, source, verdict, suggestion) => {
  const finding = findInExpression(source, contexts[context], worlds[model], expressionSink(context));
  expect(finding?.verdict ?? null).toBe(verdict);
  expect(finding?.suggestion?.value ?? null).toBe(suggestion);
});

/** Titles that no other title is a part of, so that `contains` and `index` mean the same. */
const ownerships = [[], ['SRE'], ['Growth & Ads', 'SRE'], ['SRE', 'Growth & Ads'], ['Pay'], ['Growth & Ads']];
const identifiers: Record<string, string> = { SRE: 'sre', Pay: 'pay', 'Growth & Ads': 'growth_ads' };

function buildEntity(titles: readonly string[], blueprint: string, model: 'legacy' | 'beta'): JsonObject {
  const keys = titles.map((title) => identifiers[title]!);
  const single = keys[0] ?? null;
  const owners: JsonObject =
    blueprint === 'desk' ? { lead: single } : blueprint === '_user' ? { teams: keys } : { owners: keys };
  const team = blueprint === 'desk' ? titles.slice(0, 1) : titles;
  return {
    identifier: 'one',
    title: 'One',
    team,
    properties: { kind: 'a', squad: titles[0] ?? null },
    relations: { system: 'x', ...(model === 'beta' ? owners : {}) },
    teams: titles.map((name) => ({ name, provider: 'port' })),
  };
}

function buildInput(context: keyof typeof contexts, entity: JsonObject, user: JsonObject): Json {
  if (context === 'calc' || context === 'desk') return entity;
  const diff = { before: entity, after: entity };
  const squad = (entity['properties'] as JsonObject)['squad']!;
  return {
    user,
    entity,
    form: { svc: entity, squad, team: 'x' },
    results: { mine: { entities: [entity] }, me: { entities: [entity] } },
    diff,
    event: { diff },
  };
}

const run = (source: string, input: Json): Json => {
  try {
    return compile(replaceSingleQuotes(source)).run(input) as Json;
  } catch (error) {
    if (error instanceof JqError) return null;
    throw error;
  }
};

/** A result with the titles of teams replaced, as the migration does it to data. */
function translated(value: Json): Json {
  if (typeof value === 'string') return identifiers[value] ?? value;
  if (Array.isArray(value)) return value.map(translated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translated(inner)]));
}

describe('a suggestion on the data after the migration gives what the expression gave before it', () => {
  // the value of a property of format team stays a title
  const rewritten = goldens.filter(([, , source, , suggestion]) => suggestion !== null && !source.includes('squad'));
  // reads both the titles and the relation's identifiers, or a relation that is not there
  const mixed = new Set(['[.team, .relations.teams]', '.relations.teams']);
  test.each(rewritten.filter(([, , source]) => !mixed.has(source)))(
    '%s %s: %s',
    (model, context, source, _verdict, suggestion) => {
      const blueprint = context === 'desk' || source.includes('.lead') ? 'desk' : 'ledger';
      for (const titles of ownerships) {
        const entity = buildEntity(titles, blueprint, model);
        const user = buildEntity(titles, '_user', model);
        const before = run(source, buildInput(context, entity, user));
        // what failed, on an empty list say, may be answered now
        if (before === null) continue;
        const world = worlds[model];
        const after = buildInput(context, migrateEntity(entity, blueprint, world), migrateEntity(user, '_user', world));
        expect({ titles, result: run(suggestion!, after) }).toEqual({ titles, result: translated(before) });
      }
    },
  );
});

test('an expression too long to be rewritten is still found, without a suggestion', () => {
  const source = `.team | contains([${Array(1000).fill('"SRE"').join(',')}])`;
  const finding = findInExpression(source, contexts.calc, worlds.legacy, 'value');
  expect([finding?.verdict, finding?.suggestion]).toEqual(['breaks', undefined]);
});
