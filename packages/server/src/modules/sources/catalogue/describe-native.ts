import type { SourceTypeDetails } from '@portolan/contract/source-types';
import { z } from 'zod';
import type { SourceType } from '../source-type.ts';

type Described = Pick<
  SourceType,
  'type' | 'title' | 'summary' | 'section' | 'settings' | 'secrets' | 'blueprints' | 'defaultMapping'
>;

/** Sections by the short names that some types give. */
const sections: Readonly<Record<string, string>> = { own: 'Files', git: 'Repositories', catalog: 'Catalogs' };

/** A type that Portolan reads itself, as the catalogue shows it. */
export function describeNative(native: Described): SourceTypeDetails {
  const resources = native.defaultMapping.map((resource) => ({ ...resource }));
  return {
    type: native.type,
    title: native.title,
    summary: native.summary,
    section: sections[native.section] ?? native.section,
    needs: null,
    way: 'native',
    blueprints: native.blueprints.map(({ identifier }) => String(identifier)),
    version: null,
    kinds: [...new Set(resources.flatMap(({ kind }: { kind?: unknown }) => (typeof kind === 'string' ? [kind] : [])))],
    settings: formOf(native),
    blueprintBodies: native.blueprints as SourceTypeDetails['blueprintBodies'],
    mapping: { resources } as SourceTypeDetails['mapping'],
    guide: null,
  };
}

function formOf({ settings, secrets }: Described): SourceTypeDetails['settings'] {
  const { properties = {}, required = [] } = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' });
  const asked = secrets.map(
    ({ name, title, isLong }) =>
      [name, { type: 'string', title, writeOnly: true, ...(isLong ? { format: 'multiline' } : {}) }] as const,
  );
  const needed = secrets.flatMap((secret) => (secret.required ? [secret.name] : []));
  const fields = { ...properties, ...Object.fromEntries(asked) } as SourceTypeDetails['settings'];
  return { type: 'object', properties: fields, required: [...required, ...needed] };
}
