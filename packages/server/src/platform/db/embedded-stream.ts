import { Duplex } from 'node:stream';

/** The worker's side of the wire, as the driver's stream sees it. */
export interface ByteChannel {
  send(bytes: Uint8Array<ArrayBuffer>): void;
}

/** The socket as the `pg` driver sees it: writes go to the worker, answers arrive through `receive`. */
export class EmbeddedStream extends Duplex {
  readonly #channel: ByteChannel;

  constructor(channel: ByteChannel) {
    super();
    this.#channel = channel;
  }

  receive(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.destroyed) this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#channel.send(new Uint8Array(chunk));
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    const joined = new Uint8Array(chunks.reduce((length, { chunk }) => length + chunk.length, 0));
    let offset = 0;
    for (const { chunk } of chunks) {
      joined.set(chunk, offset);
      offset += chunk.length;
    }
    this.#channel.send(joined);
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  // The rest of the socket interface that the driver uses.
  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}
}
