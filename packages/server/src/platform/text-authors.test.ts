import { describe, expect, test } from 'vitest';
import { type Actor, systemActor } from './actor.ts';
import { carrying, mergeAuthors, nameSource, parseAuthor, parseSource, writtenBy } from './text-authors.ts';

const mia: Actor = {
  orgId: 'o',
  model: 'blueprints',
  kind: 'person',
  id: 'mia@example.com',
  roles: ['Member'],
  teamKeys: [],
  datasource: 'curl/8',
  origin: 'API',
};
const machine: Actor = { ...mia, kind: 'machine', id: 'client_1' };

test.each<[string, Actor, readonly string[]]>([
  ['a person', mia, ['person:mia@example.com']],
  ['a credential', machine, ['credential:client_1']],
  ['an integration', { ...machine, datasource: 'port-ocean/jira/1.0' }, ['outside']],
  ['a client made for an integration', { ...machine, boundTo: 'i_1' }, ['outside']],
  [
    'a trusted client',
    { ...machine, boundTo: 'i_1', trustedAs: 'source:integration/1/i_1' },
    ['source:integration/1/i_1'],
  ],
  ['a person, whatever is trusted', { ...mia, trustedAs: 'source:integration/1/i_1' }, ['person:mia@example.com']],
  ['a webhook', { ...mia, webhook: { identifier: 'w', deliveryId: 'd' } }, ['outside']],
  ['a mapping that a person tries', { ...mia, writesAs: 'integration' }, ['outside']],
  ['the identity provider', { ...mia, provisioner: 'scim' }, ['outside']],
  ['the platform that does not say whose text it is', systemActor('o'), ['outside']],
  ['the platform that does', carrying(systemActor('o'), ['platform']), ['platform']],
  [
    'a run that an assistant asked for',
    carrying(mia, ['outside', 'person:ben']),
    ['outside', 'person:ben', 'person:mia@example.com'],
  ],
])('%s', (_who, actor, authors) => {
  expect(writtenBy(actor)).toEqual(authors);
});

describe('a label', () => {
  const names = Array.from({ length: 9 }, (_, index) => `person:${index}`);

  test('is a set', () => {
    expect(mergeAuthors(['b', 'a'], ['a'])).toEqual(['a', 'b']);
  });

  test('names eight authors, outside before all others', () => {
    expect(mergeAuthors(names, ['outside'])).toEqual(['*', 'outside', ...names.slice(0, 7)]);
    expect(mergeAuthors(mergeAuthors(names), ['person:x'])).toContain('*');
  });
});

test('a source is told from others of its name', () => {
  const source = { kind: 'webhook', key: 7, identifier: 'a/b c' } as const;
  expect(parseSource(nameSource(source))).toEqual(source);
  expect(['outside', 'person:source:webhook/7/a', 'source:mail/7/a', 'source:webhook/x/a'].map(parseSource)).toEqual(
    Array.from({ length: 4 }),
  );
});

test('only people and credentials are requesters', () => {
  expect(parseAuthor('person:a:b')).toEqual({ kind: 'person', id: 'a:b' });
  expect(parseAuthor('credential:c')).toEqual({ kind: 'machine', id: 'c' });
  expect(['outside', '*', 'platform', 'person:'].map(parseAuthor)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
