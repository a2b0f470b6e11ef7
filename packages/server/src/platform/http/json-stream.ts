import { Readable } from 'node:stream';

/**
 * A JSON answer with one long list, written as it is read: memory stays flat however long the list is. What comes before
 * and after the list are members of the same object.
 *
 * The first part is read before the status is sent, so what fails at once is answered as an error. What fails later
 * cuts the connection before the end of the body: the reader sees a broken transfer and no JSON that could be taken for
 * the whole.
 */
export class JsonStreamAnswer {
  readonly list: string;
  readonly parts: AsyncIterable<readonly unknown[]>;
  readonly tail: () => object;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    list: string,
    parts: AsyncIterable<readonly unknown[]>,
    options: { tail?: () => object; headers?: Record<string, string> } = {},
  ) {
    this.list = list;
    this.parts = parts;
    this.tail = options.tail ?? (() => ({}));
    this.headers = options.headers ?? {};
  }
}

/** As long as for event streams. */
const stalledMsDefault = 120_000;

/**
 * The body of a streamed answer, its first part already read. The connection of a reader who takes nothing for
 * `stalledMs` is closed.
 */
export async function openJsonStream(answer: JsonStreamAnswer, stalledMs = stalledMsDefault): Promise<Readable> {
  const iterator = answer.parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  const stalled = setTimeout(() => body.destroy(new Error('The reader takes nothing')), stalledMs).unref();
  const body: Readable = Readable.from(streamText(answer, iterator, first, stalled), {
    objectMode: false,
    highWaterMark: 64 * 1024,
  });
  return body;
}

/** Each part is read when the reader has taken those before, which restarts the stall timer. */
async function* streamText(
  { list, tail }: JsonStreamAnswer,
  iterator: AsyncIterator<readonly unknown[]>,
  first: IteratorResult<readonly unknown[]>,
  stalled: NodeJS.Timeout,
): AsyncGenerator<string> {
  try {
    yield `{"ok":true,${JSON.stringify(list)}:[`;
    let isFirst = true;
    for (let part = first; !part.done; part = await iterator.next()) {
      if (part.value.length === 0) continue;
      const items = part.value.map((item) => JSON.stringify(item)).join(',');
      yield isFirst ? items : `,${items}`;
      isFirst = false;
      stalled.refresh();
    }
    const rest = JSON.stringify(tail()).slice(1);
    yield rest === '}' ? ']}' : `],${rest}`;
  } finally {
    clearTimeout(stalled);
    // a reader that left ends the source
    await iterator.return?.();
  }
}
