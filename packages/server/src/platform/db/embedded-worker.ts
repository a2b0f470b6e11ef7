import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/**
 * Runs PGlite beside the main thread, which it would block for the length of every statement. Bytes of the PostgreSQL
 * wire protocol come in and go out; the driver on the other side writes and reads them.
 */
export interface EmbeddedWorkerData {
  readonly folder: string;
}

/** All of it is resident from the start on. PostgreSQL's 128 MB are for servers; files are cached by the system besides. */
const cache = 'shared_buffers=32MB';

/** Bytes are answers to the bytes sent. */
export type FromWorker =
  | Uint8Array<ArrayBuffer>
  | { readonly kind: 'ready' | 'closed' }
  | { readonly kind: 'failed'; readonly message: string };

export type ToWorker = Uint8Array<ArrayBuffer> | 'close';

if (parentPort) {
  const port = parentPort;
  const say = (message: FromWorker): void => {
    if (message instanceof Uint8Array) port.postMessage(message, [message.buffer]);
    else port.postMessage(message);
  };
  const fail = (error: unknown): void => say({ kind: 'failed', message: String(error) });
  const { folder } = workerData as EmbeddedWorkerData;
  PGlite.create({ dataDir: folder, startParams: [...PGlite.defaultStartParams, '-c', cache] }).then((database) => {
    let work = Promise.resolve();
    const answer = async (message: ToWorker): Promise<void> => {
      if (message === 'close') {
        await database.close();
        say({ kind: 'closed' });
        port.close();
        return;
      }
      say(await exchange(database, message));
    };
    port.on('message', (message: ToWorker) => {
      work = work.then(() => answer(message)).catch(fail);
    });
    say({ kind: 'ready' });
  }, fail);
}

async function exchange(database: PGlite, request: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  // A start-up packet (first byte zero) is answered by return value, everything else through the callback.
  if (request[0] === 0) return new Uint8Array(await database.execProtocolRaw(request));
  await database.execProtocolRawStream(request, { onRawData: (chunk) => chunks.push(chunk.slice()) });
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
