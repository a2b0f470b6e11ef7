/** `event` is `message` if the stream names none. */
export interface ServerSentEvent {
  /** The last `id` seen up to this event; absent before the first. */
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

export interface DecodeOptions {
  /** Comments are no events, but heartbeats: for detecting silence. */
  readonly onComment?: (text: string) => void;
}

/**
 * Decodes `text/event-stream` (HTML standard, section 9.2.6) from chunks that may end anywhere, inside a code point
 * or between CR and LF too. As the standard has it, an event that the stream's end cuts off is not given out.
 */
export async function* decodeEventStream(
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeOptions = {},
): AsyncGenerator<ServerSentEvent> {
  const decoder = createEventDecoder(options);
  for await (const chunk of chunks) yield* decoder.push(chunk);
}

/** The same for chunks that are pushed: returns the events that a chunk completes. */
export interface EventDecoder {
  push(chunk: Uint8Array): ServerSentEvent[];
}

export function createEventDecoder({ onComment }: DecodeOptions = {}): EventDecoder {
  const text = new TextDecoder('utf-8');
  let rest = '';
  let skipLineFeed = false;
  let id: string | undefined;
  let event = '';
  let data: string | undefined;

  const field = (line: string): void => {
    const colon = line.indexOf(':');
    if (colon === 0) {
      onComment?.(line.slice(line[1] === ' ' ? 2 : 1));
      return;
    }
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
  };

  const dispatch = (): ServerSentEvent | undefined => {
    const complete =
      data === undefined ? undefined : { ...(id === undefined ? {} : { id }), event: event || 'message', data };
    event = '';
    data = undefined;
    return complete;
  };

  return {
    push(chunk) {
      let incoming = text.decode(chunk, { stream: true });
      if (skipLineFeed && incoming !== '') {
        skipLineFeed = false;
        if (incoming.startsWith('\n')) incoming = incoming.slice(1);
      }
      const events: ServerSentEvent[] = [];
      const buffer = rest + incoming;
      // do not search again what holds no line end
      const lineEnd = /[\r\n]/g;
      lineEnd.lastIndex = rest.length;
      let start = 0;
      for (let found = lineEnd.exec(buffer); found; found = lineEnd.exec(buffer)) {
        const line = buffer.slice(start, found.index);
        start = found.index + 1;
        if (found[0] === '\r') {
          if (start === buffer.length) skipLineFeed = true;
          else if (buffer[start] === '\n') start++;
          lineEnd.lastIndex = start;
        }
        if (line !== '') field(line);
        else {
          const complete = dispatch();
          if (complete) events.push(complete);
        }
      }
      rest = buffer.slice(start);
      return events;
    },
  };
}
