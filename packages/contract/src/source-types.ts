import { z } from 'zod';
import { operation } from './operation.ts';
import { queryText } from './wire.ts';

/** How a source comes to be: read by Portolan itself, by a client that is installed elsewhere, by a webhook, or by hand. */
const sourceWay = z.enum(['native', 'install', 'webhook', 'guide']);
export type SourceWay = z.output<typeof sourceWay>;

const sourceTypeCard = z.object({
  type: z.string(),
  title: z.string(),
  /** What it brings, in one line. */
  summary: z.string(),
  section: z.string(),
  /** What one must have at hand. */
  needs: z.string().nullable(),
  way: sourceWay,
  blueprints: z.array(z.string()),
});
export type SourceTypeCard = z.output<typeof sourceTypeCard>;

const json = z.record(z.string(), z.json());

const sourceTypeDetails = sourceTypeCard.extend({
  /** Of the client; null where none is pinned. */
  version: z.string().nullable(),
  kinds: z.array(z.string()),
  /** A JSON schema of the settings; those that are `writeOnly` are secrets and never sent to Portolan for an install. */
  settings: json,
  /** In the form of `POST /v1/blueprints`. */
  blueprintBodies: z.array(json),
  mapping: json.nullable(),
  /** The page of the documentation that leads on, where the way is `guide`. */
  guide: z.string().nullable(),
});
export type SourceTypeDetails = z.output<typeof sourceTypeDetails>;

export const listSourceTypes = operation({
  id: 'listSourceTypes',
  method: 'GET',
  path: '/v1/source-types',
  tag: 'Sources',
  summary: 'List what can be added as a source of data',
  description: '`query` looks for words in names, lines and blueprints; `section` is one of `sections`.',
  access: 'token',
  scope: 'read:integrations',
  query: z.object({ query: queryText(), section: queryText() }),
  answer: z.object({ ok: z.literal(true), sections: z.array(z.string()), sourceTypes: z.array(sourceTypeCard) }),
  errors: ['missing_permissions'],
});

export const getSourceType = operation({
  id: 'getSourceType',
  method: 'GET',
  path: '/v1/source-types/{source_type}',
  tag: 'Sources',
  summary: 'Read a type of source with its settings, blueprints and default mapping',
  access: 'token',
  scope: 'read:integrations',
  params: z.object({ source_type: z.string().min(1).max(100) }),
  answer: z.object({
    ok: z.literal(true),
    sourceType: sourceTypeDetails,
    allowed: z
      .object({ create: z.boolean() })
      .meta({ description: 'Whether you may add a source of this type with its default mapping' }),
  }),
  errors: ['missing_permissions', 'not_found'],
});

export const sourceTypeOperations = [listSourceTypes, getSourceType] as const;
