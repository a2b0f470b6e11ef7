import { isRecord } from '@portolan/contract/json-value';
import type { JqObject, JqValue } from '@portolan/jq';
import { compileGlob } from './path-pattern.ts';
import { readYaml, UnreadableFile } from './read-yaml.ts';

export type ApiFormat = 'openapi' | 'asyncapi' | 'graphql' | 'grpc';

export interface ApiDefinition {
  readonly format: ApiFormat;
  /** Of the format: `3.1.0`; null where the format has none. */
  readonly version: string | null;
  readonly info: {
    readonly title: string | null;
    readonly version: string | null;
    readonly description: string | null;
  };
  /** Of OpenAPI and AsyncAPI; others are text only. */
  readonly document: JqObject | null;
}

const named = [
  '**/{openapi,swagger,asyncapi}*.{yaml,yml,json}',
  '**/*.openapi.{yaml,yml,json}',
  '**/*.asyncapi.{yaml,yml,json}',
  '**/api-docs.{json,yaml}',
  '**/*.graphqls',
  '**/schema.graphql',
  '**/*.proto',
].map(compileGlob);
/** Folders of others, and of examples that nobody serves. */
const foreign = new Set(['node_modules', 'vendor', 'dist', 'test', 'tests', 'fixtures', 'testdata', 'third_party']);

/** Whether a file is worth reading for what it may define. */
export function mayDefineApi(path: string): boolean {
  return named.some((pattern) => pattern(path)) && !path.split('/').some((folder) => foreign.has(folder));
}

const nothingKnown = { title: null, version: null, description: null };

/** What a file defines; undefined if, by its content, it defines no API. */
export function readApiDefinition(path: string, text: string): ApiDefinition | undefined {
  if (path.endsWith('.proto')) {
    const service = /^\s*service\s+(\w+)\s*\{/m.exec(text);
    const syntax = /^\s*syntax\s*=\s*"([^"\n]{1,20})"/m.exec(text)?.[1] ?? null;
    if (!service) return undefined;
    return { format: 'grpc', version: syntax, info: { ...nothingKnown, title: service[1] ?? null }, document: null };
  }
  if (/\.graphqls?$/.test(path)) {
    const isSchema = /^\s*(?:extend\s+)?(?:schema|type|interface|input|enum|union|scalar)\b/m.test(text);
    return isSchema ? { format: 'graphql', version: null, info: nothingKnown, document: null } : undefined;
  }
  const document = firstObject(text);
  const openapi = document?.['openapi'] ?? document?.['swagger'];
  const version = openapi ?? document?.['asyncapi'];
  if (!document || version === undefined) return undefined;
  const written = String(version);
  if (openapi !== undefined && !/^(3\.|2\.0$)/.test(written) && openapi !== 2) return undefined;
  return { format: openapi === undefined ? 'asyncapi' : 'openapi', version: written, info: infoOf(document), document };
}

function infoOf({ info }: JqObject): ApiDefinition['info'] {
  const from = isRecord(info) ? (info as JqObject) : {};
  const text = (value: JqValue | undefined): string | null =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  return { title: text(from['title']), version: text(from['version']), description: text(from['description']) };
}

function firstObject(text: string): JqObject | undefined {
  try {
    const [first] = readYaml(text);
    const { value } = first ?? { value: null };
    return isRecord(value) ? (value as JqObject) : undefined;
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}
