import { expect, test } from 'vitest';
import type { Blueprint } from './blueprint-draft.ts';
import { listSources, makeLanes } from './lanes.ts';
import { collectLinks } from './model-links.ts';

const blueprint = (identifier: string, ...targets: string[]) =>
  ({
    identifier,
    title: identifier.toUpperCase(),
    relations: Object.fromEntries(targets.map((target) => [target, { target }])),
  }) as unknown as Blueprint;
const folder = (identifier: string, title: string) =>
  ({ identifier, title, sidebar: 'catalog', sidebarType: 'folder' }) as const;
const page = (of: string, parent?: string) =>
  ({
    identifier: of,
    type: 'blueprint-entities',
    blueprint: of,
    sidebar: 'catalog',
    sidebarType: 'page',
    ...(parent ? { parent } : {}),
  }) as const;
const told = (lanes: ReturnType<typeof makeLanes>) =>
  lanes.map(({ title, blueprints }) => `${title}: ${blueprints.map(({ identifier }) => identifier).join(' ')}`);

test('a folder comes before a data source, which comes before relations; built-in blueprints come last', () => {
  const all = [
    blueprint('_user'),
    blueprint('a'),
    blueprint('b', 'a'),
    blueprint('c', 'd'),
    blueprint('d'),
    blueprint('lonely'),
    blueprint('service', 'a'),
  ];
  const sidebar = [folder('f', 'Platform'), page('service', 'f'), page('a'), page('lonely', 'gone')];
  const lanes = makeLanes(
    all,
    collectLinks(all),
    sidebar,
    new Map([
      ['a', 'GitHub'],
      ['b', 'GitHub'],
      ['service', 'GitHub'],
    ]),
  );
  expect(told(lanes)).toEqual([
    'Platform: service',
    'GitHub: a b',
    'Around C: c d',
    'Other: lonely',
    'Built-in: _user',
  ]);
});

test('sources are read from mappings that name one blueprint, and from no other', () => {
  const mapping = (value: unknown) => ({ port: { entity: { mappings: { blueprint: value } } } });
  const found = listSources([
    { title: 'GitHub', config: { resources: [mapping('"service"'), mapping('.kind'), mapping(7), {}, null] } },
    { installationId: 'jira', config: { resources: [mapping('"issue"'), mapping('"service"')] } },
    { title: 'Empty', config: null },
    { title: 'Odd', config: { resources: 'none' } },
  ]);
  expect([...found]).toEqual([
    ['service', 'GitHub'],
    ['issue', 'jira'],
  ]);
});
