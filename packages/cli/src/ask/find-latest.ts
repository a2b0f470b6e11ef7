import { listConversations } from '@portolan/contract/conversations';
import { type Connection, explained } from '../connection.ts';

/** The caller's latest conversation, or `new` if there is none. */
export async function findLatest({ client, address }: Connection): Promise<string> {
  const { conversations } = await explained(address, () => client.call(listConversations, { query: { limit: 1 } }));
  return conversations[0]?.identifier ?? 'new';
}
