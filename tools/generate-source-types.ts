// Writes packages/server/data/source-types/clients.jsonl from checkouts of the public clients:
//   node tools/generate-source-types.ts <checkout of port-labs/ocean> <checkout of port-labs/port-k8s-exporter>
// It fails on keys it does not know, so that whoever updates the pinned commits looks at what is new.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { toSetting, type WrittenSetting } from './lib/client-settings.ts';

const [ocean, exporter] = process.argv.slice(2);
if (ocean === undefined || exporter === undefined) throw new Error('Name the two checkouts');
const target = join(import.meta.dirname, '..', 'packages/server/data/source-types/clients.jsonl');

/** Keys of a specification; those that are read, and those that say something only to the makers' own service. */
const knownKeys = new Set([
  ...['title', 'features', 'configurations', 'actions', 'actionsProcessingEnabled'],
  ...['description', 'icon', 'docs', 'type', 'saas', 'provider', 'interface', 'installationDocs'],
  ...['formMappingEnabled', 'recommendedInstallationMethod', 'disableDefaultInstallationMethods'],
  ...['deploymentMethodRequirements', 'deploymentMethodOverride'],
]);

interface Specification {
  readonly title: string;
  readonly features?: readonly { readonly resources?: readonly { readonly kind: string }[] }[];
  readonly configurations?: readonly WrittenSetting[];
}

interface Mapping {
  readonly resources: readonly { readonly kind: string }[];
}

const types = readdirSync(join(ocean, 'integrations')).filter((type) => specificationOf(type) !== undefined);
const clients = [...types.map(readIntegration), readExporter(exporter)];
const commits = { ocean: commitOf(ocean), exporter: commitOf(exporter) };
const lines = [commits, ...clients].map((each) => `${JSON.stringify(each)}\n`);
writeFileSync(target, lines.join(''));
process.stdout.write(`${clients.length} clients, ${lines.join('').length} characters\n`);

function specificationOf(type: string): string | undefined {
  const folder = join(ocean as string, 'integrations', type, '.port');
  return ['spec.yaml', 'spec.yml', 'spec.json'].map((name) => join(folder, name)).find(existsSync);
}

function readIntegration(type: string) {
  const folder = join(ocean as string, 'integrations', type);
  const specification = parse(readFileSync(specificationOf(type) as string, 'utf8')) as Specification;
  const unknown = Object.keys(specification).filter((key) => !knownKeys.has(key));
  if (unknown.length > 0) throw new Error(`${type}: look at these new keys first: ${unknown.join(', ')}`);
  const mapping = readMapping(join(folder, '.port/resources'), 'port-app-config');
  const declared = (specification.features ?? []).flatMap(({ resources }) => resources ?? []);
  return {
    type,
    title: specification.title,
    version: /^version = "(.+?)"/m.exec(readFileSync(join(folder, 'pyproject.toml'), 'utf8'))?.[1],
    kinds: [...new Set([...declared, ...mapping.resources].map(({ kind }) => kind))],
    settings: (specification.configurations ?? []).map((written) => toSetting(type, written)),
    blueprints: JSON.parse(readFileSync(join(folder, '.port/resources/blueprints.json'), 'utf8')),
    mapping,
  };
}

function readExporter(folder: string) {
  const defaults = join(folder, 'assets/defaults');
  const mapping = readMapping(defaults, 'appConfig');
  return {
    type: 'kubernetes',
    title: 'Kubernetes',
    version: null,
    kinds: [...new Set(mapping.resources.map(({ kind }) => kind))],
    settings: [{ name: 'clusterName', type: 'string', required: true, secret: false }],
    blueprints: JSON.parse(readFileSync(join(defaults, 'blueprints.json'), 'utf8')),
    mapping,
  };
}

function readMapping(folder: string, name: string): Mapping {
  const path = ['yaml', 'yml'].map((extension) => join(folder, `${name}.${extension}`)).find(existsSync);
  if (path === undefined) throw new Error(`${folder} has no ${name}`);
  return parse(readFileSync(path, 'utf8'), { merge: true });
}

function commitOf(folder: string): string {
  return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}
