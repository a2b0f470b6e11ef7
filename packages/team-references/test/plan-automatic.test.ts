import { describe, expect, test } from 'vitest';
import {
  applyEdits,
  assignTeamIdentifiers,
  findManualItems,
  type JsonObject,
  planAutomatic,
  recheck,
  teamIdentifierStem,
} from '../src/index.ts';
import { blueprint, organization } from './organization.ts';

describe('identifiers of teams', () => {
  test.each([
    ['Payments Core', 'payments_core'],
    ['SRE', 'sre'],
    ['Growth & Ads', 'growth_ads'],
    ['  ', 'team'],
    ['Ünïcode 队', 'ünïcode_队'],
    ['__a--b__', 'a_b'],
    ['platform-team', 'platform_team'],
  ])('%s is %s', (title, identifier) => expect(teamIdentifierStem(title)).toBe(identifier));

  test('the older team gets the shorter one, what is kept or chosen is never given twice', () => {
    const assigned = assignTeamIdentifiers(
      [
        { title: 'SRE', createdAt: '2024-02-01' },
        { title: 'sre', createdAt: '2024-01-01' },
        { title: 'S.R.E', identifier: 's_r_e' },
        { title: 's r e', createdAt: '2024-03-01' },
        { title: 'Core' },
      ],
      { Core: 'sre_2' },
    );
    expect(assigned.map(({ identifier }) => identifier)).toEqual(['sre_3', 'sre', 's_r_e', 's_r_e_2', 'sre_2']);
  });
});

describe('the four rules', () => {
  const grant = (teams: string[]): JsonObject => ({ roles: ['Admin'], users: [], teams, ownedByTeam: false });

  test('legacy: values give Direct, inheritance gives Inherited, permissions get identifiers', () => {
    const plan = planAutomatic(
      organization('legacy', {
        blueprints: [
          {
            blueprint: blueprint('a'),
            entitiesWithTeam: 2,
            permissions: {
              entities: { read: grant(['SRE', 'Payments Core', 'Nobody']), updateRelations: { teams: grant(['SRE']) } },
            },
          },
          {
            blueprint: blueprint('b', {
              relations: { a: { target: 'a', many: false } },
              teamInheritance: { path: 'a' },
            }),
            permissions: null,
          },
          { blueprint: blueprint('c'), permissions: null, entitiesWithTeam: 0 },
        ],
        actions: [
          {
            action: { identifier: 'x', title: 'X' },
            permissions: {
              execute: { ...grant(['SRE']), policy: { queries: { q: { rules: [{ teams: ['SRE'] }] } } } },
              approve: grant([]),
            },
          },
        ],
        pages: [{ page: { identifier: 'p' }, permissions: { read: grant([]), update: grant(['Growth & Ads']) } }],
      }),
    );
    expect(
      plan.changes.map(({ rule, resource, pointer, after }) => [
        rule,
        resource.kind,
        resource.identifier,
        pointer,
        after,
      ]),
    ).toEqual([
      [1, 'blueprint', 'a', '/ownership', { type: 'Direct' }],
      [4, 'blueprint-permissions', 'a', '/entities/read/teams', ['payments_core', 'sre']],
      [4, 'blueprint-permissions', 'a', '/entities/updateRelations/teams/teams', ['sre']],
      [2, 'blueprint', 'b', '/teamInheritance', null],
      [2, 'blueprint', 'b', '/ownership', { type: 'Inherited', path: 'a' }],
      [4, 'action-permissions', 'x', '/execute/teams', ['sre']],
      [4, 'page-permissions', 'p', '/update/teams', ['growth_ads']],
    ]);
    expect(plan.problems.map(({ code }) => code)).toEqual(['UNKNOWN_TEAM']);
  });

  test('beta: a relation that is inherited over goes, and what led over it follows', () => {
    const plan = planAutomatic(
      organization('beta', {
        blueprints: [
          {
            blueprint: blueprint('ledger', {
              relations: {
                owners: { title: 'Owners', target: '_team', many: true },
                advised: { target: '_team', many: true },
              },
              teamInheritance: { path: 'owners' },
              mirrorProperties: { slack: { path: 'owners.slack' }, other: { path: 'advised.slack' } },
            }),
            permissions: { entities: { updateRelations: { owners: grant(['SRE']) } } },
          },
          {
            blueprint: blueprint('entry', {
              relations: { ledger: { target: 'ledger', many: false } },
              teamInheritance: { path: 'ledger.owners' },
              aggregationProperties: { n: { target: 'x', pathFilter: [{ path: ['ledger', 'owners'] }] } },
            }),
            permissions: null,
          },
          { blueprint: blueprint('_team'), permissions: null },
        ],
      }),
    );
    expect(plan.removedRelations).toEqual([{ blueprint: 'ledger', relation: 'owners' }]);
    expect(plan.changes.map(({ rule, pointer, after }) => [rule, pointer, after])).toEqual([
      [3, '/relations/owners', null],
      [3, '/teamInheritance', null],
      [3, '/ownership', { type: 'Direct', title: 'Owners' }],
      ['implied', '/mirrorProperties/slack/path', '$team.slack'],
      ['implied', '/entities/updateRelations/owners', null],
      [
        'implied',
        '/entities/updateProperties/$team',
        { roles: ['Admin'], users: [], teams: ['sre'], ownedByTeam: false },
      ],
      [2, '/teamInheritance', null],
      ['implied', '/ownership', { type: 'Inherited', path: 'ledger' }],
      ['implied', '/aggregationProperties/n/pathFilter/0/path', ['ledger', '$team']],
    ]);
  });

  test('equal titles, cycles and broken paths are told', () => {
    const plan = planAutomatic({
      ...organization('legacy'),
      teams: [{ title: 'SRE' }, { title: 'SRE' }],
      blueprints: [
        {
          blueprint: blueprint('a', { relations: { b: { target: 'b', many: false } }, teamInheritance: { path: 'b' } }),
          permissions: null,
        },
        {
          blueprint: blueprint('b', { relations: { a: { target: 'a', many: true } }, teamInheritance: { path: 'a' } }),
          permissions: null,
        },
        { blueprint: blueprint('c', { teamInheritance: { path: 'gone' } }), permissions: null },
        { blueprint: blueprint('_team'), permissions: null },
      ],
    });
    expect(new Set(plan.problems.map(({ code }) => code))).toEqual(
      new Set([
        'DUPLICATE_TEAM_TITLE',
        'SIMILAR_TEAM_TITLES',
        'RESERVED_BLUEPRINT',
        'INHERITANCE_CYCLE',
        'MANY_IN_INHERITANCE_PATH',
        'BROKEN_INHERITANCE_PATH',
      ]),
    );
  });
});

test('an applied suggestion is done, and the same place keeps its id', () => {
  const action: JsonObject = {
    identifier: 'run',
    title: 'Run',
    trigger: {
      type: 'self-service',
      userInputs: { properties: { a: { type: 'string', visible: { jqQuery: '.user.team | contains(["SRE"])' } } } },
    },
    invocationMethod: {
      type: 'UPSERT_ENTITY',
      blueprintIdentifier: 'ledger',
      mapping: { relations: { owners: ['sre'] } },
    },
  };
  const before = organization('beta', { actions: [{ action, permissions: null }] });
  const items = findManualItems(before).filter(({ resource }) => resource.kind === 'action');
  expect(items.map(({ verdict }) => verdict)).toEqual(['breaks', 'breaks']);
  const fixed = items.reduce((document, { suggestion }) => applyEdits(document, suggestion!.edits), action);
  expect(fixed['invocationMethod']).toEqual({
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: 'ledger',
    mapping: { relations: {}, team: ['sre'] },
  });
  const after = organization('blueprints', { actions: [{ action: fixed, permissions: null }] });
  expect(recheck(items, after).map(({ state }) => state)).toEqual(['mentions', 'done']);
  expect(recheck(items, organization('blueprints', { actions: before.actions })).map(({ state }) => state)).toEqual([
    'broken',
    'done',
  ]);
  const removed = [{ blueprint: 'ledger', relation: 'owners' }];
  expect(
    recheck(items, organization('blueprints', { actions: before.actions }), removed).map(({ state }) => state),
  ).toEqual(['broken', 'broken']);
});
