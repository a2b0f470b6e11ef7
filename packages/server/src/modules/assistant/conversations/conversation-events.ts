import { invalidRequest } from '../../../platform/errors.ts';
import { RawAnswer, type RequestInfo } from '../../../platform/http/route.ts';
import { writeEventStream } from '../../../platform/http/sse-writer.ts';
import { parseLastEvent } from '../answer-invocation.ts';
import type { AssistantDeps } from '../assistant.deps.ts';
import { findStreamState } from '../event.store.ts';
import { readConversation, readTurns } from './read-conversation.ts';

/**
 * The streams of the turns of a path, one after the other, the last one live. Ids are those of the turns' own events, so
 * the last one that a reader has says where to go on, whatever replica it asks.
 * @throws AppError `not_found`, `invalid_request` for an id of another path or of an event not sent yet
 */
export async function streamConversation(
  deps: AssistantDeps,
  request: RequestInfo,
  id: string,
  { deltas, leaf }: { readonly deltas: boolean; readonly leaf?: string | undefined },
): Promise<RawAnswer> {
  const { actor } = request;
  const row = await readConversation(deps, actor, id);
  const seen = await readTurns(deps, actor, row, leaf);
  // of a shared conversation only turns that are shown whole have a stream
  const turns = seen.filter(({ isGone, isHidden }) => !isGone && !isHidden).map(({ row: turn }) => turn);
  const headers = { 'x-conversation-id': encodeURIComponent(id), 'x-trace-id': request.requestId };
  const last = parseLastEvent(request);
  let from = 0;
  let after = 0;
  if (last) {
    from = turns.findIndex((turn) => turn.id === last.id);
    if (from < 0) throw badLastEvent(`names no turn of this path of ${id}`);
    const state = await findStreamState(deps.database, actor.orgId, last.id);
    if (state && last.sequence > state.last)
      throw badLastEvent(`is ahead: the last event so far is ${last.id}:${state.last}`);
    after = last.sequence;
    if (state && !state.isRunning && last.sequence >= state.last) {
      from += 1;
      after = 0;
    }
  }
  const open = turns.slice(from);
  if (open.length === 0) {
    return new RawAnswer(async (response) => {
      response.writeHead(204, headers).end();
    });
  }
  const [first] = open;
  async function* batches(signal: AbortSignal) {
    for (const turn of open) {
      const begin = turn === first ? after : 0;
      for await (const events of deps.events.read(actor.orgId, turn.id, begin, signal)) {
        yield events
          .filter(({ event }) => deltas || event !== 'text_delta')
          .map(({ sequence, event, data }) => ({ id: `${turn.id}:${sequence}`, event, data }));
      }
      if (signal.aborted) return;
    }
  }
  return new RawAnswer(async (response) => {
    await writeEventStream(response, batches, { headers });
  });
}

function badLastEvent(message: string) {
  return invalidRequest([{ path: '{header}/last-event-id', message }]);
}
