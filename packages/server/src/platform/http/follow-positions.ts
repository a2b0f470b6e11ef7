import { type Operation, onlyReads } from '@portolan/contract/operation';
import { latestPosition, positionHeader } from '@portolan/contract/position';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Standbys } from '../db/engine.ts';
import { LineStreamAnswer } from './line-stream.ts';
import { RawAnswer } from './route.ts';

/**
 * Handles a request, and names in its answer the position that its client has to see from then on. Answers that are
 * streamed end after their headers, so those of writes send their reader to the primary.
 */
export function followPositions(
  standbys: Pick<Standbys, 'follow'> | undefined,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => Promise<unknown>,
  send: (answer: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (!standbys) return handle().then(send);
  const position = request.headers[positionHeader];
  const following = {
    position: Array.isArray(position) ? position.join() : position,
    mayLag: operation.reads === 'standby',
  };
  return standbys.follow(following, async (seen) => {
    let answer: unknown;
    try {
      answer = await handle();
    } finally {
      // a refusal may have been recorded
      const shown = seen();
      if (shown !== undefined) reply.header(positionHeader, shown);
    }
    if (answer instanceof RawAnswer || answer instanceof LineStreamAnswer) {
      if (!onlyReads(operation)) reply.raw.setHeader(positionHeader, latestPosition);
    }
    return send(answer);
  });
}
