import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isAllowedLicence } from './lib/licences.ts';
import { lockedPackages, type Manifest } from './lib/lock-file.ts';
import { top } from './lib/source-files.ts';

const { billOfMaterials } = (await import(join(top, 'tools/package/sbom.mjs'))) as {
  billOfMaterials: (version: string) => unknown;
};
const { thirdPartyLicences } = (await import(join(top, 'tools/package/licences.mjs'))) as {
  thirdPartyLicences: () => string;
};

const purl = z.string().regex(/^pkg:npm\/(%40[a-z0-9.-]+\/)?[a-zA-Z0-9._-]+@\d+\.\d+\.\d+[\w.-]*$/);
const licence = z.union([
  z.strictObject({ license: z.strictObject({ id: z.string().regex(/^[A-Za-z0-9.-]+$/) }) }),
  z.strictObject({ expression: z.string() }),
]);
const component = z.strictObject({
  type: z.enum(['library', 'application']),
  'bom-ref': purl,
  group: z.string().startsWith('@').optional(),
  name: z.string().min(1),
  version: z.string(),
  scope: z.enum(['required', 'optional']).optional(),
  hashes: z
    .array(
      z.strictObject({
        alg: z.enum(['SHA-512', 'SHA-1']),
        content: z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{128})$/),
      }),
    )
    .min(1)
    .optional(),
  licenses: z.array(licence).length(1),
  purl,
});
/** The part of CycloneDX 1.5 that the bill uses; nothing else may be in it. */
const bill = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.5.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  version: z.literal(1),
  metadata: z.strictObject({ component }),
  components: z.array(component),
  dependencies: z.array(z.strictObject({ ref: purl, dependsOn: z.array(purl) })),
});

const read = bill.parse(billOfMaterials('1.2.3'));
const references = new Set(read.components.map((each) => each['bom-ref']));
const names = new Set(read.components.map(({ group, name }) => (group ? `${group}/${name}` : name)));
const manifest = (name: string) =>
  JSON.parse(readFileSync(join(top, 'packages', name, 'package.json'), 'utf8')) as Manifest;

describe('the bill of materials', () => {
  test('names every component once, and only components as dependencies', () => {
    expect(references.size).toBe(read.components.length);
    const refs = read.dependencies.map(({ ref }) => ref);
    expect(new Set(refs)).toEqual(new Set([...references, 'pkg:npm/portolan@1.2.3']));
    expect(refs.length).toBe(new Set(refs).size);
    const strangers = read.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !references.has(ref));
    expect(strangers).toEqual([]);
  });

  test('has what every shipped package depends on, and what that depends on in turn', () => {
    const packages = ['server', 'cli', 'portal', 'contract', 'jq', 'archives', 'tables', 'evaluation', 'backstage'];
    const direct = packages.flatMap((name) => Object.keys(manifest(name).dependencies ?? {}));
    const locked = lockedPackages() as Record<string, Manifest>;
    const indirect = Object.entries(locked)
      .filter(([path]) => names.has(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))
      .filter(([, each]) => references.has(`pkg:npm/${nameIn(each)}`))
      .flatMap(([, each]) => Object.keys(each.dependencies ?? {}));
    const missing = [...direct, ...indirect].filter((name) => !name.startsWith('@portolan/') && !names.has(name));
    expect([...new Set(missing)]).toEqual([]);
    expect(direct.length).toBeGreaterThan(60);

    function nameIn(each: Manifest): string {
      const [path = ''] = Object.entries(locked).find(([, other]) => other === each) ?? [];
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `${name.replace('@', '%40')}@${(each as { version?: string }).version}`;
    }
  });

  test('has no package that only builds or tests the product', () => {
    for (const name of ['vitest', 'vite', 'rolldown', 'typescript', '@biomejs/biome', 'playwright-core', 'ai']) {
      expect(names.has(name)).toBe(false);
    }
  });

  test('has only licences that may be passed on', () => {
    const texts = read.components.map(({ purl: of, licenses: [each] }) => {
      const text = each && 'license' in each ? each.license.id : (each?.expression ?? '');
      return { of, text };
    });
    expect(texts.filter(({ text }) => !isAllowedLicence(text))).toEqual([]);
  });

  test('is the same for the same lock file', () => {
    expect(JSON.stringify(billOfMaterials('1.2.3'))).toBe(JSON.stringify(billOfMaterials('1.2.3')));
  });
});

test('the list of licences names every component, with the texts that came with them', () => {
  const text = thirdPartyLicences();
  for (const { group, name, version } of read.components) {
    expect(text).toContain(`\n${`${group ? `${group}/` : ''}${name}@${version}`.padEnd(56)} `);
  }
  expect(text).toContain('Permission is hereby granted');
});
