import { productionGraph } from './lock-graph.mjs';

/**
 * The bill of materials in CycloneDX 1.5, from the lock file alone: the same lock file gives the same bytes. `npm sbom
 * --omit dev` is not used because it leaves out packages that a workspace also needs for development.
 */
export function billOfMaterials(version) {
  const { packages, direct } = productionGraph();
  const references = new Map([...packages].map(([path, { name, version: of }]) => [path, purl(name, of)]));
  const components = new Map();
  const needs = new Map();
  for (const [path, each] of packages) {
    const reference = references.get(path);
    // one package may be installed at several places
    components.set(reference, component(reference, each));
    const known = needs.get(reference) ?? new Set();
    for (const need of each.needs) known.add(references.get(need));
    needs.set(reference, known);
  }
  const product = purl('portolan', version);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': product,
        name: 'portolan',
        version,
        purl: product,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: [...components.values()],
    dependencies: [
      { ref: product, dependsOn: sorted(direct.map((path) => references.get(path))) },
      ...[...needs].map(([ref, on]) => ({ ref, dependsOn: sorted(on) })),
    ],
  };
}

function component(reference, { name, version, license, integrity, optional }) {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': reference,
    ...(group ? { group } : {}),
    name: short,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: (integrity ?? '').split(' ').filter(Boolean).map(hash),
    licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
    purl: reference,
  };
}

function hash(integrity) {
  const [algorithm, value] = integrity.split(/-(.*)/s);
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(value, 'base64').toString('hex') };
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function sorted(references) {
  return [...new Set(references)].sort();
}
