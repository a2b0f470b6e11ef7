import { expect, test } from 'vitest';
import { mapDocuments, readCatalog, settleTargets } from '../src/index.ts';
import { createFiles, shop } from './files.ts';

async function mapShop() {
  const read = await readCatalog(createFiles(shop));
  const mapped = mapDocuments(read.documents);
  const settled = settleTargets(mapped.drafts, new Set());
  const drafts = new Map(settled.drafts.map((draft) => [draft.key, draft]));
  return { drafts, problems: [...read.problems, ...mapped.problems, ...settled.problems] };
}

test('a component has its properties, owners and relations as identifiers', async () => {
  const { drafts } = await mapShop();
  const { properties, ...cart } = drafts.get('component:default/cart') ?? { properties: {} };
  expect(cart).toEqual({
    key: 'component:default/cart',
    kind: 'component',
    blueprint: 'component',
    identifier: 'cart',
    title: 'cart',
    team: ['payments'],
    relations: {
      system: 'checkout',
      providesApis: ['orders'],
      dependsOnResources: ['db'],
      dependsOnComponents: [],
    },
  });
  expect(properties).toMatchObject({
    ref: 'component:default/cart',
    type: 'service',
    lifecycle: 'production',
    language: 'typescript',
    sourceUrl: 'https://git.example.com/shop/cart/',
    links: [{ url: 'https://cart.example.com', displayText: 'Cart' }],
    unresolvedReferences: ['component:default/absent'],
    backstage: { spec: { implementation: { replicas: 3 } } },
  });
});

test('what another document states of an entity is found at the entity', async () => {
  const { drafts } = await mapShop();
  expect(drafts.get('component:default/stock')?.relations).toEqual({ parent: 'cart', dependsOnResources: ['db'] });
  expect(drafts.get('group:default/payments')?.relations).toEqual({ parent: 'leads' });
  expect(drafts.get('user:default/ada')).toMatchObject({ blueprint: '_user', team: ['leads', 'payments'] });
});

test('a user with an address signs in; one without is a person', async () => {
  const { drafts } = await mapShop();
  expect(drafts.get('user:default/ada')).toMatchObject({ identifier: 'ada@example.com', title: 'Ada Lovelace' });
  expect(drafts.get('user:default/grace')).toMatchObject({
    blueprint: 'person',
    identifier: 'grace',
    properties: { groups: ['payments'] },
  });
  expect(drafts.get('user:default/grace')).not.toHaveProperty('team');
});

test('an owner that is a user is a relation, and no team', async () => {
  const { drafts } = await mapShop();
  const db = drafts.get('resource:default/db');
  expect(db?.relations).toEqual({ ownerUser: 'ada@example.com' });
  expect(db).not.toHaveProperty('team');
});

test('the file that a placeholder names is read, and the document keeps the placeholder', async () => {
  const { drafts } = await mapShop();
  expect(drafts.get('api:default/orders')?.properties).toMatchObject({
    definition: shop['apis/orders.openapi.yaml'],
    openapi: { openapi: '3.0.0', info: { title: 'Orders' } },
    backstage: { spec: { definition: { $text: './orders.openapi.yaml' } } },
  });
});

test('what is missing or elsewhere is said at its place', async () => {
  const { problems } = await mapShop();
  expect(problems.map(({ severity, code, item }) => `${severity} ${code} ${item}`)).toEqual([
    'note target_elsewhere location:default/shop',
    'warning target_missing component:default/cart',
  ]);
});

test('of two documents of one name the first counts', () => {
  const document = (title: string) => ({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'System',
    metadata: { name: title === 'first' ? 'One' : 'one', title },
    spec: { owner: 'a' },
  });
  const found = ['first', 'second'].map((title) => ({
    document: document(title),
    resolved: document(title),
    place: { file: `${title}.yaml`, line: 1 },
  }));
  const { drafts, problems } = mapDocuments(found);
  expect(drafts.map(({ title }) => title)).toEqual(['first']);
  expect(problems).toMatchObject([{ code: 'defined_twice', place: { file: 'second.yaml' } }]);
});

test('an unknown kind keeps its spec, in a blueprint of its own', () => {
  const document = {
    apiVersion: 'example.com/v1',
    kind: 'AIResource',
    metadata: { name: 'helper' },
    spec: { type: 'skill', owner: 'group:emea/core', skill: { steps: [1] } },
  };
  const { drafts } = mapDocuments([{ document, resolved: document, place: {} }]);
  expect(drafts).toMatchObject([
    { blueprint: 'aiResource', team: ['emea.core'], properties: { spec: document.spec }, relations: {} },
  ]);
});

test('relations of a running Backstage count before those of the document', () => {
  const document = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'cart' },
    spec: { type: 'service', lifecycle: 'production', system: 'ignored' },
  };
  const relations = [
    { type: 'ownedBy', targetRef: 'group:default/payments' },
    { type: 'partOf', targetRef: 'system:default/checkout' },
    { type: 'partOf', targetRef: 'domain:default/commerce' },
    { type: 'ownerOf', targetRef: 'component:default/other' },
  ];
  const { drafts } = mapDocuments([{ document, resolved: document, place: {}, relations }]);
  expect(drafts).toMatchObject([{ team: ['payments'], relations: { system: 'checkout' } }]);
});
