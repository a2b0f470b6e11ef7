import { z } from 'zod';
import type { Client } from './client.ts';
import { getEntity } from './entities.ts';
import { operation } from './operation.ts';
import { createOrganization, listOrganizations } from './operator.ts';
import { getOwnOrganization } from './organization.ts';
import { searchBlueprintEntities } from './search.ts';

/** What must not compile; each line that does fails the check of types. Nothing here runs. */
export async function refusedCalls(client: Client): Promise<void> {
  const params = { blueprint_identifier: 'service', entity_identifier: 'api' };
  await client.call(getEntity, { params, query: { include: ['title'], attach_title_to_relation: true } });
  await client.call(getOwnOrganization);
  await client.call(listOrganizations);
  await client.call(getOwnOrganization, { signal: AbortSignal.timeout(1000) });

  // @ts-expect-error the input is missing
  await client.call(getEntity);
  // @ts-expect-error the params are missing
  await client.call(getEntity, { query: {} });
  // @ts-expect-error a param is missing
  await client.call(getEntity, { params: { blueprint_identifier: 'service' } });
  // @ts-expect-error a param is misspelt
  await client.call(getEntity, { params: { ...params, blueprint: 'service' } });
  // @ts-expect-error a param is no text
  await client.call(getEntity, { params: { ...params, entity_identifier: 1 } });
  // @ts-expect-error a key of the query is misspelt
  await client.call(getEntity, { params, query: { attach_titles_to_relation: true } });
  // @ts-expect-error a value of the query has the wrong type
  await client.call(listOrganizations, { query: { limit: true } });
  // @ts-expect-error the operation has no query
  await client.call(getOwnOrganization, { query: { limit: 1 } });
  // @ts-expect-error the operation has no params
  await client.call(listOrganizations, { params: { organization_id: 'o' } });
  // @ts-expect-error the operation has no body
  await client.call(getOwnOrganization, { body: {} });
  // @ts-expect-error the body is missing
  await client.call(createOrganization);
  // @ts-expect-error a key of the body is misspelt
  await client.open(searchBlueprintEntities, { params: { blueprint_identifier: 'service' }, body: { limits: 1 } });
}

const declared = { id: 'declared', method: 'GET', tag: 'x', summary: 'x', access: 'token', errors: [] } as const;
export const declarations = [
  operation({ ...declared, path: '/v1/{one}/{two}', params: z.object({ one: z.string(), two: z.string() }) }),
  operation({ ...declared, path: '/v1/all' }),
  // @ts-expect-error the schema lacks a name of the path
  operation({ ...declared, path: '/v1/{one}/{two}', params: z.object({ one: z.string() }) }),
  // @ts-expect-error the schema has a name that the path has not
  operation({ ...declared, path: '/v1/{one}', params: z.object({ one: z.string(), two: z.string() }) }),
  // @ts-expect-error the path has a name and the operation no params
  operation({ ...declared, path: '/v1/{one}' }),
];
