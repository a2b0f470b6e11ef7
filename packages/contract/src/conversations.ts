import { z } from 'zod';
import { contextUsage, invocationStatus } from './invocation-stream.ts';
import { operation } from './operation.ts';
import { text } from './search-values.ts';
import { queryBoolean, queryInteger, queryText } from './wire.ts';

/** Turns on one path, and in all branches of a conversation. */
export const conversationLimits = { pathTurnsMax: 200, turnsMax: 2000, titleCharactersMax: 60 } as const;

const identifier = z.string().min(1).max(1000);
const params = z.object({ conversation_identifier: identifier });

const sharedWith = z.discriminatedUnion('with', [
  z.strictObject({ with: z.literal('private') }),
  z.strictObject({ with: z.literal('organization'), until: identifier.optional() }),
  z.strictObject({
    with: z.literal('some'),
    users: z.array(identifier).max(100).default([]),
    teams: z.array(identifier).max(100).default([]),
    until: identifier.optional(),
  }),
]);
export type SharedWith = z.output<typeof sharedWith>;

const conversation = z
  .object({
    identifier: z.string(),
    title: z.string(),
    pinned: z.boolean(),
    askedAt: z.string(),
    createdAt: z.string(),
    /** Turns of all branches. */
    turns: z.number().int(),
    agent: z.string().nullable(),
    /** Who may read it beside its owner, up to which turn; null if it is private. */
    shared: sharedWith.nullable(),
    /** Whether a turn is being answered. */
    running: z.boolean(),
    /** The turn that is shown and continued. */
    head: z.string(),
    owner: z.string(),
    isOwn: z.boolean(),
  })
  .meta({ id: 'Conversation' });
export type Conversation = z.output<typeof conversation>;

const part = z.object({ type: z.literal('text'), text: z.string() });
const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.json() });

/** A message as in `execution_logs`, with the turn that it belongs to. */
const conversationMessage = z
  .object({
    role: z.enum(['user', 'assistant', 'tool']),
    messageId: z.string(),
    content: z.union([z.string(), z.array(part)]),
    toolCalls: z.array(toolCall).optional(),
    toolCallId: z.string().optional(),
    isError: z.boolean().optional(),
    invocationIdentifier: z.string(),
    /** All turns at this place, this one among them, in the order in which they were asked. */
    siblings: z.array(z.string()),
    status: invocationStatus,
    askedAt: z.string(),
    /** Records of the turn that the reader may not read; its text is left out then. */
    hiddenRecords: z.number().int().optional(),
    contextUsage: contextUsage.optional(),
    costUsd: z.number().nullable().optional(),
    tokens: z.number().int().optional(),
  })
  .meta({ id: 'ConversationMessage' });
export type ConversationMessage = z.output<typeof conversationMessage>;

const common = { tag: 'AI assistant', access: 'token', invalidStatus: 400 } as const;
const oneAnswer = z.object({ ok: z.literal(true), conversation });
const messagesAnswer = z.object({
  ok: z.literal(true),
  conversation,
  messages: z.array(conversationMessage),
  /** Published for histories in segments; there is one segment. */
  previousInvocationId: z.string().nullable(),
});

export const listConversations = operation({
  ...common,
  id: 'listConversations',
  method: 'GET',
  path: '/v1/ai/conversations',
  summary: 'List your conversations, latest activity first',
  description: 'The `cursor` of the next page is the last `askedAt`, or `nextCursor`. `query` looks in titles.',
  query: z.object({
    limit: queryInteger({ min: 1, max: 200, default: 50 }),
    cursor: queryText(),
    query: queryText(),
  }),
  answer: z.object({ ok: z.literal(true), conversations: z.array(conversation), nextCursor: z.string().optional() }),
  errors: [],
});

export const getConversation = operation({
  ...common,
  id: 'getConversation',
  method: 'GET',
  path: '/v1/ai/conversations/{conversation_identifier}',
  summary: 'Read a conversation and the messages of one of its paths',
  description:
    'The path to its head, or to `leaf`, or with `below` to the latest turn below that. A shared conversation is shown up to the turn that it was shared at, with what the reader may read.',
  params,
  query: z.object({
    leaf: queryText(),
    /** Goes on from the leaf to the latest turn below it. */
    below: queryBoolean(),
  }),
  answer: messagesAnswer,
  errors: ['not_found'],
});

export const getInvocationMessages = operation({
  ...common,
  id: 'getInvocationMessages',
  method: 'GET',
  path: '/v1/ai/invoke/{invocation_identifier}/messages',
  summary: 'Read the messages of the path to a turn of a conversation',
  params: z.object({ invocation_identifier: identifier }),
  answer: messagesAnswer,
  errors: ['not_found'],
});

export const streamConversation = operation({
  ...common,
  id: 'streamConversation',
  method: 'GET',
  path: '/v1/ai/conversations/{conversation_identifier}/events',
  summary: 'Read the event streams of all turns of a path, then the one of the turn that is being answered',
  description:
    'Ids stay `<invocation>:<sequence>`: one `Last-Event-ID` resumes the whole conversation, at any replica. 204 if nothing is left.',
  params,
  query: z.object({ deltas: queryBoolean(), leaf: queryText() }),
  answerType: 'text/event-stream',
  errors: ['not_found'],
});

export const renameConversation = operation({
  ...common,
  id: 'renameConversation',
  method: 'PATCH',
  path: '/v1/ai/conversations/{conversation_identifier}/title',
  scope: 'invoke:ai',
  summary: 'Rename a conversation',
  params,
  body: z.object({ title: text.trim().min(1).max(200) }),
  answer: oneAnswer,
  errors: ['not_found'],
});

export const pinConversation = operation({
  ...common,
  id: 'pinConversation',
  method: 'PATCH',
  path: '/v1/ai/conversations/{conversation_identifier}/pin',
  scope: 'invoke:ai',
  summary: 'Pin a conversation, or no longer',
  params,
  body: z.object({ pinned: z.boolean() }),
  answer: oneAnswer,
  errors: ['not_found'],
});

export const moveConversationHead = operation({
  ...common,
  id: 'moveConversationHead',
  method: 'PATCH',
  path: '/v1/ai/conversations/{conversation_identifier}',
  scope: 'invoke:ai',
  summary: 'Choose the branch that is shown and continued',
  params,
  body: z.object({ head: identifier }),
  answer: oneAnswer,
  errors: ['not_found'],
});

export const deleteConversation = operation({
  ...common,
  id: 'deleteConversation',
  method: 'DELETE',
  path: '/v1/ai/conversations/{conversation_identifier}',
  scope: 'invoke:ai',
  summary: 'Delete a conversation and the contents of all its turns',
  params,
  answer: z.object({ ok: z.literal(true) }),
  errors: ['not_found', 'conversation_busy'],
});

export const forkConversation = operation({
  ...common,
  id: 'forkConversation',
  method: 'POST',
  path: '/v1/ai/conversations/{conversation_identifier}/fork',
  scope: 'invoke:ai',
  summary: 'Begin an own conversation that continues after a turn',
  description: 'Of a conversation that somebody shared, it keeps what the new owner may read.',
  params,
  body: z.object({ at: identifier.optional() }),
  answer: oneAnswer,
  errors: ['not_found'],
});

export const shareConversation = operation({
  ...common,
  id: 'shareConversation',
  method: 'PUT',
  path: '/v1/ai/conversations/{conversation_identifier}/share',
  scope: 'invoke:ai',
  summary: 'Share a conversation up to a turn, or no longer',
  description:
    'For its owner alone. Later turns and other branches are not shown. A reader sees an answer only if they may read every record that it was made from.',
  params,
  body: sharedWith,
  answer: oneAnswer,
  errors: ['not_found'],
});

export const exportConversation = operation({
  ...common,
  id: 'exportConversation',
  method: 'GET',
  path: '/v1/ai/conversations/{conversation_identifier}/export',
  summary: 'Export one path of a conversation',
  params,
  query: z.object({
    format: z.preprocess((value) => value || undefined, z.enum(['markdown', 'json']).default('markdown')),
    leaf: queryText(),
  }),
  answer: z.object({ ok: z.literal(true), format: z.enum(['markdown', 'json']), content: z.string() }),
  errors: ['not_found'],
});

export const conversationOperations = [
  listConversations,
  getConversation,
  getInvocationMessages,
  streamConversation,
  renameConversation,
  pinConversation,
  moveConversationHead,
  deleteConversation,
  forkConversation,
  shareConversation,
  exportConversation,
] as const;
