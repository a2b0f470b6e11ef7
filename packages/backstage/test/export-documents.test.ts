import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  canonicalJson,
  type Draft,
  type ExportedEntity,
  exportDocuments,
  type JsonObject,
  mapDocuments,
  printDocuments,
  readCatalog,
  settleTargets,
} from '../src/index.ts';
import { createFiles, shop } from './files.ts';

/** An entity as the catalog answers it after it was written. */
function stored({ blueprint, identifier, title, team, properties, relations }: Draft): ExportedEntity {
  const answered = JSON.parse(JSON.stringify({ properties, relations })) as Pick<
    ExportedEntity,
    'properties' | 'relations'
  >;
  return { blueprint, identifier, title, team: team ?? [], ...answered };
}

async function storeShop() {
  const { documents } = await readCatalog(createFiles(shop));
  const { drafts } = settleTargets(mapDocuments(documents).drafts, new Set());
  return { documents, entities: drafts.map(stored) };
}

function specs(entities: readonly ExportedEntity[]) {
  const { documents } = exportDocuments(entities);
  return new Map(documents.map(({ key, document }) => [key, document]));
}

test('documents come back as they were written, byte for byte as canonical JSON, also through YAML', async () => {
  const { documents, entities } = await storeShop();
  const written = documents.map(({ document }) => canonicalJson(document as unknown as JsonObject)).toSorted();
  const exported = exportDocuments(entities).documents.map(({ document }) => document);
  expect(exported.map(canonicalJson).toSorted()).toEqual(written);
  const read = parseAllDocuments(printDocuments(exported)).map((document) => canonicalJson(document.toJSON()));
  expect(read.toSorted()).toEqual(written);
});

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<never>;
const name = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,6}[A-Za-z0-9])?$/);
const target = fc.oneof(
  name,
  name.map((one) => `component:${one}`),
  name.map((one) => `Resource:emea/${one}`),
  json,
);
const targets = fc.oneof(fc.array(target, { maxLength: 3 }), target);
const anyDocument = fc.record({
  apiVersion: fc.constantFrom('backstage.io/v1alpha1', 'example.com/v1'),
  kind: fc.constantFrom(
    'Component',
    'API',
    'Resource',
    'System',
    'Domain',
    'Group',
    'User',
    'Location',
    'Template',
    'AiResource',
    'Custom',
  ),
  metadata: fc.record(
    {
      name,
      namespace: fc.constantFrom('default', 'emea', 'Emea'),
      title: json,
      description: json,
      tags: json,
      labels: json,
      annotations: json,
      links: json,
      other: json,
    },
    { requiredKeys: ['name'] },
  ),
  spec: fc.record(
    {
      type: json,
      lifecycle: json,
      owner: target,
      system: target,
      domain: target,
      subcomponentOf: target,
      providesApis: targets,
      dependsOn: targets,
      dependencyOf: targets,
      children: targets,
      members: targets,
      memberOf: targets,
      profile: fc.record(
        { email: fc.constantFrom('a@b.c', 'A@B.C', 'x'), displayName: json, picture: json },
        { requiredKeys: [] },
      ),
      definition: fc.oneof(json, fc.constant({ $text: './x' } as never)),
      parameters: json,
      other: json,
    },
    { requiredKeys: [] },
  ),
});

test('any documents come back as they were written', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyDocument, {
        maxLength: 6,
        selector: ({ metadata }) => metadata.name.toLowerCase().replaceAll('.', ''),
      }),
      (documents) => {
        const found = documents.map((document) => {
          const clean = JSON.parse(JSON.stringify(document)) as never;
          return { document: clean, resolved: clean, place: {} };
        });
        const { drafts } = settleTargets(mapDocuments(found).drafts, new Set());
        const exported = exportDocuments(drafts.map(stored)).documents.map(({ document }) => canonicalJson(document));
        expect(exported.toSorted()).toEqual(found.map(({ document }) => canonicalJson(document)).toSorted());
      },
    ),
    { numRuns: 3000 },
  );
}, 120_000);

test('what was changed here is changed there, and nothing else', async () => {
  const { entities } = await storeShop();
  const changed = entities.map((entity) =>
    entity.identifier === 'cart'
      ? {
          ...entity,
          title: 'The Cart',
          team: ['leads'],
          properties: { ...entity.properties, lifecycle: 'deprecated', tags: null },
          relations: { ...entity.relations, dependsOnResources: [], dependsOnComponents: ['stock'] },
        }
      : entity,
  );
  const before = specs(entities).get('component:default/cart') as JsonObject;
  const after = specs(changed).get('component:default/cart') as JsonObject;
  const { tags: _, ...metadata } = before['metadata'] as JsonObject;
  expect(after).toEqual({
    ...before,
    metadata: { ...metadata, title: 'The Cart' },
    spec: {
      ...(before['spec'] as JsonObject),
      lifecycle: 'deprecated',
      owner: 'leads',
      // the target that never existed stays
      dependsOn: ['component:absent', 'component:stock'],
    },
  });
});

test('a link that another document states is taken out there', async () => {
  const { entities } = await storeShop();
  const changed = entities.map((entity) =>
    entity.identifier === 'stock' ? { ...entity, relations: { ...entity.relations, dependsOnResources: [] } } : entity,
  );
  expect(specs(changed).get('resource:default/db')).toMatchObject({ spec: { dependencyOf: [] } });
  expect(specs(changed).get('component:default/stock')).toEqual(specs(entities).get('component:default/stock'));
});

test('somebody who leaves a team leaves it in the document that names them', async () => {
  const { entities } = await storeShop();
  const changed = entities.map((entity) => (entity.blueprint === '_user' ? { ...entity, team: ['leads'] } : entity));
  expect(specs(changed).get('group:default/payments')).toMatchObject({ spec: { members: ['grace'] } });
});

test('an entity that was made here gets the smallest document', () => {
  const entity = { blueprint: 'component', identifier: 'emea/New One', title: 'New', team: ['payments'] };
  const { documents } = exportDocuments([
    { ...entity, properties: { type: 'library', description: null }, relations: { system: 'checkout' } },
  ]);
  expect(documents.map(({ document }) => document)).toEqual([
    {
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: { namespace: 'emea', name: 'New-One', title: 'New' },
      spec: { type: 'library', lifecycle: 'unknown', owner: 'default/payments', system: 'default/checkout' },
    },
  ]);
});
