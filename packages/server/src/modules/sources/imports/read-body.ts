import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type CsvForm, encodings } from '@portolan/tables';
import { AppError } from '../../../platform/errors.ts';
import type { RequestInfo } from '../../../platform/http/route.ts';

export interface ReadBody {
  /** Unpacked. Whoever stops reading leaves the connection open: the answer is sent on it. */
  readonly bytes: AsyncIterable<Buffer>;
  /** What the media type says of a table; undefined for JSON lines. */
  readonly table: Partial<CsvForm> | undefined;
}

const lineTypes = /^(application\/(x-ndjson|jsonl|x-jsonlines|json-lines)|text\/plain)$/;
const tableTypes: Readonly<Record<string, Partial<CsvForm>>> = {
  'text/csv': {},
  'text/tab-separated-values': { delimiter: '\t' },
};

/** @throws AppError `unsupported_media_type` */
export function readBody(headers: RequestInfo['headers'], rawBody: unknown): ReadBody {
  const [type = '', ...parameters] = String(headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const table = Object.hasOwn(tableTypes, type) ? { ...tableTypes[type], ...charset(parameters) } : undefined;
  if (!table && !lineTypes.test(type)) {
    const message = 'Send one entity a line as application/x-ndjson, or a table with headings as text/csv';
    throw new AppError('unsupported_media_type', message);
  }
  const body = rawBody instanceof Readable ? rawBody : Readable.from([]);
  return { bytes: unpacked(headers, body).iterator({ destroyOnReturn: false }), table };
}

function unpacked(headers: RequestInfo['headers'], body: Readable): Readable {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') {
    throw new AppError(
      'unsupported_media_type',
      `Send the body as it is, or packed by gzip; not by ${encoding.slice(0, 50)}`,
    );
  }
  const packed = createGunzip();
  body.on('error', (error) => packed.destroy(error));
  return body.pipe(packed);
}

/** The encoding that is told, by any of its names; without one it is guessed. */
function charset(parameters: readonly string[]): Partial<CsvForm> {
  const told = parameters.find((each) => each.startsWith('charset='));
  if (!told) return {};
  const name = told.slice('charset='.length).replaceAll('"', '');
  const encoding = encodings.find((each) => each === canonical(name));
  if (encoding) return { encoding };
  throw new AppError(
    'unsupported_media_type',
    `Tables are read as ${encodings.join(', ')}, and not as ${name.slice(0, 50)}`,
  );
}

/** Names of encodings are many: `latin1` is `windows-1252` to the web. */
function canonical(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
