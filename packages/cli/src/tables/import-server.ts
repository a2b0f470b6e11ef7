import type { Client } from '@portolan/contract/client';
import { ApiError } from '@portolan/contract/client';
import { cancelImport, getImport, importLines, listImportProblems } from '@portolan/contract/imports';
import { searchBlueprintEntities } from '@portolan/contract/search';
import { type FindEntities, findBySearch, type ImportServer, isPassingAnswer } from '@portolan/tables';
import type { Context } from '../context.ts';
import { networkErrorCode } from '../explain-error.ts';

/** Imports over the typed client. */
export function createImportServer(client: Client, { wait }: Pick<Context, 'wait'>): ImportServer {
  return {
    send: async (part, lines, signal) => {
      const { body } = await client.open(importLines, { query: part, lines, signal });
      return (body ?? []) as AsyncIterable<Uint8Array>;
    },
    read: async (id) => (await client.call(getImport, { params: { import_id: id } })).import,
    listProblems: async (id, after) =>
      (await client.call(listImportProblems, { params: { import_id: id }, query: { after } })).problems,
    cancel: (id) => client.call(cancelImport, { params: { import_id: id } }),
    isPassing: (error) =>
      error instanceof ApiError
        ? isPassingAnswer(error.status, error.body?.error)
        : networkErrorCode(error) !== undefined,
    wait,
  };
}

export function findEntitiesOver(client: Client): FindEntities {
  return findBySearch(async (blueprint, body) => {
    const params = { blueprint_identifier: blueprint };
    const { entities } = await client.call(searchBlueprintEntities, { params, body });
    return entities.map(({ identifier = '', title = null }) => ({ identifier, title }));
  });
}
