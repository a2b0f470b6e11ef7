import { boundedBody } from '../../../platform/outgoing/bounded-body.ts';
import { streamBytesMax } from '../../../platform/outgoing/outgoing.ts';
import { eventCharactersMax } from './chat-completions/event-data.ts';

type Fetch = typeof globalThis.fetch;

/** A framed format, not lines. */
const framedType = 'application/vnd.amazon.eventstream';

/**
 * A fetch that fails above the limits of a model's answer, because provider packages buffer lines and error bodies of
 * any length.
 */
export function boundedFetch(fetch: Fetch = globalThis.fetch): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const { body, status, statusText, headers } = answer;
    if (!body) return answer;
    const isFramed = headers.get('content-type')?.startsWith(framedType) === true;
    const bounds = { bytesMax: streamBytesMax, ...(isFramed ? {} : { lineBytesMax: eventCharactersMax }) };
    return new Response(
      boundedBody(body, bounds, (message) => new Error(message)),
      { status, statusText, headers },
    );
  };
}
