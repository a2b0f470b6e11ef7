import { expect } from 'vitest';
import { createTestApp, type Request, type TestApp } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';

/** In every value, title and identifier that Pat may not see, and nowhere else. */
export const marker = 'hush';

/** The blueprints of which Pat may not read some or any entities. */
export const closed = { none: 'sealed', owned: 'vault' } as const;

export interface HiddenWorld {
  readonly app: TestApp;
  /** Asks as Pat, a member of the team `crew`. */
  readonly asPat: Request;
  readonly pat: string;
  /** Asks as the administrator of another organization, which has blueprints of the same names and no entities. */
  readonly asStranger: Request;
  allow(blueprint: string, entities: unknown): Promise<void>;
}

const text = { type: 'string' };
const count = { calculationBy: 'entities', func: 'count' };
const all = (...rules: unknown[]) => ({ combinator: 'and', rules });

/** `sealed` is read by administrators, `vault` by the teams that own its entities, everything else by everybody. */
const blueprints = [
  blueprintBody('sealed', { properties: { code: text, box: { type: 'object' }, size: { type: 'number' } } }),
  blueprintBody('vault', {
    properties: { code: text },
    relations: { deep: { target: 'sealed' } },
    ownership: { type: 'Direct' },
  }),
  blueprintBody('leaf', {
    properties: { n: { type: 'number' } },
    relations: { up: { target: 'sealed' } },
    mirrorProperties: { code: { path: 'up.code' } },
  }),
  blueprintBody('ring', { relations: { one: { target: 'sealed' } }, mirrorProperties: { leak: { path: 'one.code' } } }),
  blueprintBody('other', {
    relations: { back: { target: 'ring' } },
    mirrorProperties: { leak: { path: 'back.leak' } },
  }),
  blueprintBody('open', {
    properties: { n: { type: 'number' } },
    relations: {
      one: { target: 'sealed' },
      own: { target: 'vault' },
      many: { target: 'vault', many: true },
      leaf: { target: 'leaf' },
    },
    mirrorProperties: {
      code: { path: 'one.code' },
      size: { path: 'one.size' },
      box: { path: 'one.box' },
      name: { path: 'one.$title' },
      owned: { path: 'own.code' },
      deep: { path: 'own.deep.code' },
      twice: { path: 'leaf.code' },
    },
    calculationProperties: {
      said: { type: 'string', calculation: '"said " + .properties.code' },
      any: { type: 'string', calculation: '[.properties[] | strings] | join(" ")' },
      plain: { type: 'number', calculation: '.properties.n + 1' },
    },
    aggregationProperties: {
      sealed: { title: 'A', target: 'sealed', calculationSpec: count },
      sizes: {
        title: 'B',
        target: 'sealed',
        calculationSpec: { calculationBy: 'property', func: 'sum', property: 'size' },
      },
    },
  }),
];

const changes: Readonly<Record<string, unknown>> = {
  // its key is the shortest, so it is stored and looked at before the one it comes back to
  ring: { relations: { next: { target: 'other' } }, mirrorProperties: { in: { path: 'next.leak' } } },
  // from a leaf over what is sealed to the open, whose own entities may all be read
  leaf: {
    relations: { peer: { target: 'open' } },
    aggregationProperties: {
      coded: {
        title: 'C',
        target: 'open',
        calculationSpec: count,
        query: all({ property: 'code', operator: 'isNotEmpty' }),
        pathFilter: [{ fromBlueprint: 'leaf', path: ['peer'] }],
      },
      walked: {
        title: 'E',
        target: 'open',
        calculationSpec: count,
        query: all({ property: { path: ['own', 'deep'] }, operator: 'matchAny', value: 'linked' }),
        pathFilter: [{ fromBlueprint: 'leaf', path: ['peer'] }],
      },
      related: {
        title: 'F',
        target: 'open',
        calculationSpec: count,
        query: all({ operator: 'relatedTo', blueprint: 'sealed', value: 'linked' }),
        pathFilter: [{ fromBlueprint: 'leaf', path: ['peer'] }],
      },
      seen: {
        title: 'G',
        target: 'open',
        calculationSpec: count,
        query: all({ property: 'n', operator: '=', value: 1 }),
        pathFilter: [{ fromBlueprint: 'leaf', path: ['peer'] }],
      },
    },
  },
  // ends at an open blueprint, and counts what is reached over the sealed one
  sealed: { relations: { ring: { target: 'other' } } },
  open: { aggregationProperties: { over: { title: 'H', target: 'other', calculationSpec: count } } },
  _team: { relations: { box: { target: 'sealed' } }, mirrorProperties: { safe: { path: 'box.code' } } },
  _user: { relations: { box: { target: 'sealed' } }, mirrorProperties: { safe: { path: 'box.code' } } },
};

/** Readable things that point at what is hidden, in every way the catalog has. */
export async function createHiddenWorld(): Promise<HiddenWorld> {
  const app = await createTestApp();
  const { request } = app;
  const stranger = await app.createOrganization();
  for (const body of blueprints) {
    for (const ask of [request, stranger.request]) {
      expect(await ask('POST', '/v1/blueprints', { body })).toMatchObject({ status: 201 });
    }
  }
  for (const [blueprint, body] of Object.entries(changes)) {
    const answer = await request('PATCH', `/v1/blueprints/${blueprint}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  const allow = async (blueprint: string, entities: unknown) => {
    const answer = await request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  await allow(closed.none, { read: { roles: ['Admin'] } });
  await allow(closed.owned, { read: { roles: ['Admin'], ownedByTeam: true } });
  await fill(request);
  const pat = 'pat@example.com';
  await createEntity(request, '_user', {
    identifier: pat,
    team: 'crew',
    properties: { status: 'Active', port_role: 'Member' },
    relations: { box: 'linked' },
  });
  const token = await app.organization.personToken(pat);
  const asPat: Request = (method, path, options) => request(method, path, { token, ...options });
  return { app, asPat, pat, asStranger: stranger.request, allow };
}

/** `linked` and `theirs` are named by what is readable, so their identifiers are no secret; `hush-alone` is one. */
async function fill(request: Request): Promise<void> {
  const hidden = { code: `${marker} code`, box: { in: `${marker} box` }, size: 77 };
  await createEntity(request, 'sealed', { identifier: 'linked', title: `${marker} title`, properties: hidden });
  await createEntity(request, 'sealed', { identifier: `${marker}-alone`, properties: hidden });
  await createEntity(request, '_team', { identifier: 'crew', relations: { box: 'linked' } });
  await createEntity(request, '_team', { identifier: 'others' });
  const vault = (identifier: string, team: string, title: string, code: string) =>
    createEntity(request, 'vault', { identifier, team, title, properties: { code }, relations: { deep: 'linked' } });
  await vault('mine', 'crew', 'Mine', 'plain');
  await vault('theirs', 'others', `${marker} theirs`, `${marker} vault`);
  await vault(`${marker}-vault`, 'others', `${marker} alone`, `${marker} vault`);
  await createEntity(request, 'leaf', { identifier: 'l', relations: { up: 'linked' } });
  await createEntity(request, 'ring', { identifier: 'r', relations: { one: 'linked' } });
  await createEntity(request, 'other', { identifier: 'o', relations: { back: 'r' } });
  await request('PATCH', '/v1/blueprints/ring/entities/r', { body: { relations: { next: 'o' } } });
  await request('PATCH', '/v1/blueprints/sealed/entities/linked', { body: { relations: { ring: 'o' } } });
  await createEntity(request, 'open', {
    identifier: 'x',
    title: 'X',
    properties: { n: 1 },
    relations: { one: 'linked', own: 'theirs', many: ['mine', 'theirs'], leaf: 'l' },
  });
  await createEntity(request, 'open', { identifier: 'y', title: 'Y', properties: { n: 2 } });
  await request('PATCH', '/v1/blueprints/leaf/entities/l', { body: { relations: { peer: 'x' } } });
}
