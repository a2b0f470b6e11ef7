import type { ServerResponse } from 'node:http';
import type { Actor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { RawAnswer, type RequestInfo } from '../../../platform/http/route.ts';

/** Limit per caller and process. */
const streamsMax = 30;

/** Answers streams without end, and counts how many a caller has open. @throws AppError `too_many_requests` */
export function createOpenStreams(): (
  actor: Actor,
  write: (response: ServerResponse) => Promise<unknown>,
) => RawAnswer {
  const open = new Map<string, number>();
  return ({ orgId, id }, write) => {
    const caller = `${orgId}/${id}`;
    const count = open.get(caller) ?? 0;
    if (count >= streamsMax) {
      throw new AppError(
        'too_many_requests',
        `At most ${streamsMax} streams of one caller; close those that nobody reads`,
      );
    }
    open.set(caller, count + 1);
    return new RawAnswer(async (response) => {
      try {
        await write(response);
      } finally {
        const left = (open.get(caller) ?? 1) - 1;
        if (left > 0) open.set(caller, left);
        else open.delete(caller);
      }
    });
  };
}

/** Whom the credentials of a request stand for now; undefined if they are no longer valid. */
export async function actorNow(request: RequestInfo): Promise<Actor | undefined> {
  try {
    return await request.readmit();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}
