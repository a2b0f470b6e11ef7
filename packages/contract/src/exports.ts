import { z } from 'zod';
import { operation } from './operation.ts';
import { queryList } from './wire.ts';

export const exportBackstage = operation({
  id: 'exportBackstage',
  method: 'GET',
  path: '/v1/exports/backstage',
  tag: 'Exports',
  summary: 'Read the catalog as documents of Backstage',
  description:
    'YAML with a document for each entity that the caller may read: of the blueprints that are named, or of those that ' +
    'come from Backstage or stand for its kinds. What came from a document is given back as it was written, with what ' +
    'changed since. Comments at the end tell what documents cannot say. An answer that breaks off has no last comment ' +
    '`# end`.',
  access: 'token',
  scope: 'read:entities',
  workClass: 'bulk',
  answerType: 'application/yaml',
  query: z.object({ blueprints: queryList() }),
  answer: z.unknown(),
  errors: ['not_found', 'limit_reached'],
});

export const exportOperations = [exportBackstage] as const;
