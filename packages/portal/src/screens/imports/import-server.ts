import { type FindEntities, findBySearch, type ImportServer, isPassingAnswer, TableError } from '@portolan/tables';
import { ApiError, call, errorCode, open } from '../../api/api.ts';
import { pause, readChunks } from '../../api/stream-chunks.ts';

/** Imports as the signed-in user. */
export function createImportServer(signal: AbortSignal): ImportServer {
  return {
    send: async (part, lines, sent) => readChunks(await open('importLines', { query: part, lines, signal: sent })),
    read: async (id) => (await call('getImport', { params: { import_id: id } })).import,
    listProblems: async (id, after) =>
      (await call('listImportProblems', { params: { import_id: id }, query: { after } })).problems,
    cancel: (id) => call('cancelImport', { params: { import_id: id } }),
    isPassing: (error) =>
      error instanceof ApiError ? isPassingAnswer(error.status, errorCode(error)) : !(error instanceof TableError),
    wait: (milliseconds) => pause(milliseconds, signal),
  };
}

export const findEntities: FindEntities = findBySearch(async (blueprint, body) => {
  const { entities } = await call('searchBlueprintEntities', { params: { blueprint_identifier: blueprint }, body });
  return entities.map(({ identifier = '', title = null }) => ({ identifier, title }));
});
