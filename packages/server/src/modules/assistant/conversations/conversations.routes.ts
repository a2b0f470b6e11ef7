import * as contract from '@portolan/contract/conversations';
import { type Route, route } from '../../../platform/http/route.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import {
  deleteConversation,
  forkConversation,
  moveHead,
  pinConversation,
  renameConversation,
  shareConversation,
} from './change-conversation.ts';
import { streamConversation } from './conversation-events.ts';
import { exportConversation } from './export-conversation.ts';
import { listConversations, readInvocationMessages, readMessages } from './read-conversation.ts';

export function conversationRoutes(deps: AssistantDeps): Route[] {
  return [
    route(contract.listConversations, ({ query }, { actor }) => listConversations(deps, actor, query)),
    route(contract.getConversation, ({ params, query }, { actor }) =>
      readMessages(deps, actor, params.conversation_identifier, query),
    ),
    route(contract.getInvocationMessages, ({ params }, { actor }) =>
      readInvocationMessages(deps, actor, params.invocation_identifier),
    ),
    route(contract.streamConversation, ({ params, query }, request) =>
      streamConversation(deps, request, params.conversation_identifier, query),
    ),
    route(contract.renameConversation, ({ params, body }, { actor }) =>
      renameConversation(deps, actor, params.conversation_identifier, body.title),
    ),
    route(contract.pinConversation, ({ params, body }, { actor }) =>
      pinConversation(deps, actor, params.conversation_identifier, body.pinned),
    ),
    route(contract.moveConversationHead, ({ params, body }, { actor }) =>
      moveHead(deps, actor, params.conversation_identifier, body.head),
    ),
    route(contract.deleteConversation, async ({ params }, { actor }) => {
      await deleteConversation(deps, actor, params.conversation_identifier);
      return {};
    }),
    route(contract.forkConversation, ({ params, body }, { actor }) =>
      forkConversation(deps, actor, params.conversation_identifier, body.at),
    ),
    route(contract.shareConversation, ({ params, body }, { actor }) =>
      shareConversation(deps, actor, params.conversation_identifier, body),
    ),
    route(contract.exportConversation, ({ params, query }, { actor }) =>
      exportConversation(deps, actor, params.conversation_identifier, query),
    ),
  ];
}
