import * as contract from '@portolan/contract/memory';
import { type Route, route } from '../../../platform/http/route.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { deleteNotesUnread, putMemorySettings, readMemorySettings } from './memory-settings.ts';
import { createNote, deleteNote, deleteOwnNotes, listOwnNotes, setOwnState, updateNote } from './own-notes.ts';

export function memoryRoutes(deps: AssistantDeps): Route[] {
  return [
    route(contract.listMemories, (_input, { actor }) => listOwnNotes(deps, actor)),
    route(contract.createMemory, async ({ body }, { actor }) => ({ memory: await createNote(deps, actor, body) })),
    route(contract.updateMemory, async ({ params, body }, { actor }) => ({
      memory: await updateNote(deps, actor, params.memory_id, body.content),
    })),
    route(contract.deleteMemory, async ({ params }, { actor }) => {
      await deleteNote(deps, actor, params.memory_id);
      return {};
    }),
    route(contract.deleteMemories, async ({ body }, { actor }) => {
      await deleteOwnNotes(deps, actor, 'recordIds' in body ? body.recordIds : undefined);
      return {};
    }),
    route(contract.setOwnMemory, ({ body }, { actor }) => setOwnState(deps, actor, body.isOn)),
    route(contract.deleteMemoriesOfUsers, async ({ body }, { actor }) => {
      await deleteNotesUnread(deps, actor, body.userIds);
      return {};
    }),
    route(contract.getMemorySettings, (_input, { actor }) => readMemorySettings(deps, actor)),
    route(contract.putMemorySettings, ({ body }, { actor }) => putMemorySettings(deps, actor, body.memoryEnabled)),
  ];
}
