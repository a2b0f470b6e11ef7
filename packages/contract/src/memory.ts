import { z } from 'zod';
import { operation } from './operation.ts';
import { memoryBounds } from './proposed-note.ts';
import { timestamp } from './wire.ts';

const { charactersMax, notesMax } = memoryBounds;

const content = z
  .string()
  .transform((text) => text.replace(/\s+/g, ' ').trim())
  .pipe(z.string().min(1, 'may not be empty').max(charactersMax))
  .describe(`Up to ${charactersMax} characters; line breaks become blanks.`);

const memory = z
  .object({
    id: z.string(),
    content: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    /** The invocation whose question says it; null if it was written down without one. */
    invocation: z.string().nullable(),
  })
  .meta({ id: 'Memory' });
export type Memory = z.output<typeof memory>;

const tag = 'AI assistant';
const common = { tag, invalidStatus: 400 } as const;
const done = z.object({ ok: z.literal(true) });
const one = z.object({ ok: z.literal(true), memory });
const ids = z.array(z.string().min(1).max(1000)).min(1).max(200);
const params = z.object({ memory_id: z.string().min(1).max(100) });
const ownState = {
  /** Whether an administrator allows notes. */
  memoryEnabled: z.boolean(),
  /** Whether the caller has the assistant use theirs. */
  isOn: z.boolean(),
};

export const listMemories = operation({
  ...common,
  id: 'listMemories',
  method: 'GET',
  path: '/v1/memory',
  summary: 'List your own notes, newest first',
  description: 'They are listed while they are paused, too. Nobody else reads them, administrators included.',
  access: 'token',
  answer: z.object({ ok: z.literal(true), memories: z.array(memory), ...ownState }),
  errors: [],
});

export const createMemory = operation({
  ...common,
  id: 'createMemory',
  method: 'POST',
  path: '/v1/memory',
  summary: 'Write a note that the assistant is shown with each of your questions',
  description: `By a person, never by a tool or an agent; at most ${notesMax}. With \`invocation\` the note has to stand in the question of that invocation, which has to be yours. A note that is there already is answered as it is. The operation has no counterpart in the public API.`,
  access: 'token',
  status: 201,
  body: z.strictObject({ content, invocation: z.string().min(1).max(1000).optional() }),
  unknownFields: 'closed',
  answer: one,
  errors: ['missing_permissions', 'memory_off', 'limit_reached'],
});

export const deleteMemories = operation({
  ...common,
  id: 'deleteMemories',
  method: 'DELETE',
  path: '/v1/memory',
  summary: 'Delete some or all of your own notes',
  description: 'Identifiers that are not of your notes are passed over.',
  access: 'token',
  body: z.union([z.strictObject({ deleteAll: z.literal(true) }), z.strictObject({ recordIds: ids })]),
  unknownFields: 'closed',
  answer: done,
  errors: ['missing_permissions'],
});

export const updateMemory = operation({
  ...common,
  id: 'updateMemory',
  method: 'PATCH',
  path: '/v1/memory/{memory_id}',
  summary: 'Change one of your own notes',
  access: 'token',
  params,
  body: z.strictObject({ content }),
  unknownFields: 'closed',
  answer: one,
  errors: ['missing_permissions', 'not_found'],
});

export const deleteMemory = operation({
  ...common,
  id: 'deleteMemory',
  method: 'DELETE',
  path: '/v1/memory/{memory_id}',
  summary: 'Delete one of your own notes',
  access: 'token',
  params,
  answer: done,
  errors: ['missing_permissions', 'not_found'],
});

export const setOwnMemory = operation({
  ...common,
  id: 'setOwnMemory',
  method: 'PUT',
  path: '/v1/memory/own',
  summary: 'Turn your own notes on, or pause them',
  description: 'While they are paused, notes are neither used nor written, and kept.',
  access: 'token',
  body: z.strictObject({ isOn: z.boolean() }),
  unknownFields: 'closed',
  answer: z.object({ ok: z.literal(true), ...ownState }),
  errors: ['missing_permissions', 'memory_off'],
});

export const deleteMemoriesOfUsers = operation({
  ...common,
  id: 'deleteMemoriesOfUsers',
  method: 'DELETE',
  path: '/v1/memory/users',
  summary: 'Delete all notes of users, unread',
  description: 'Users that are not there are passed over.',
  access: 'admin',
  scope: 'delete:memory',
  body: z.strictObject({ userIds: ids }),
  unknownFields: 'closed',
  answer: done,
  errors: [],
});

const settings = z.object({ memoryEnabled: z.boolean() });

export const getMemorySettings = operation({
  ...common,
  id: 'getMemorySettings',
  method: 'GET',
  path: '/v1/memory/settings',
  summary: 'Read whether people may keep notes for the assistant',
  access: 'token',
  answer: settings.extend({ ok: z.literal(true) }),
  errors: [],
});

export const putMemorySettings = operation({
  ...common,
  id: 'putMemorySettings',
  method: 'PUT',
  path: '/v1/memory/settings',
  summary: 'Allow notes for the assistant, or stop them for everybody',
  description:
    'Not allowed unless an administrator allows them. While they are stopped, notes are neither used nor written, and kept.',
  access: 'admin',
  scope: 'update:memory',
  body: z.strictObject({ memoryEnabled: z.boolean() }),
  unknownFields: 'closed',
  answer: settings.extend({ ok: z.literal(true) }),
  errors: [],
});

export const memoryOperations = [
  listMemories,
  createMemory,
  deleteMemories,
  setOwnMemory,
  deleteMemoriesOfUsers,
  getMemorySettings,
  putMemorySettings,
  updateMemory,
  deleteMemory,
] as const;
