import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A message that the broker was given. */
export interface ReceivedRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface KafkaServer {
  readonly address: string;
  readonly taken: ReceivedRecord[];
  close(): Promise<void>;
}

const apiVersions = 18;
const metadata = 3;
const produce = 0;

/** A broker as far as a producer asks one: versions, metadata (1), and messages of one record batch (3). */
export async function startKafkaServer(): Promise<KafkaServer> {
  const taken: ReceivedRecord[] = [];
  const sockets = new Set<Socket>();
  let port = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let held = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 4 && held.length >= 4 + held.readInt32BE(0)) {
        const size = held.readInt32BE(0);
        const request = reader(held.subarray(4, 4 + size));
        held = held.subarray(4 + size);
        const [api, version, correlation] = [request.int16(), request.int16(), request.int32()];
        request.text();
        const body = answer(api, version, request, port, taken);
        socket.write(Buffer.concat([int32(body.length + 4), int32(correlation), body]));
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  return {
    address: `127.0.0.1:${port}`,
    taken,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function answer(api: number, version: number, request: Reader, port: number, taken: ReceivedRecord[]): Buffer {
  if (api === apiVersions) {
    const known = [
      [produce, 3, 3],
      [metadata, 1, 1],
      [apiVersions, 0, 2],
    ].map((each) => Buffer.concat(each.map(int16)));
    return Buffer.concat([int16(0), list(known), ...(version > 0 ? [int32(0)] : [])]);
  }
  if (api === metadata) {
    const topics = request.list(() => request.text());
    const broker = Buffer.concat([int32(1), text('127.0.0.1'), int32(port), int16(-1)]);
    const partition = Buffer.concat([int16(0), int32(0), int32(1), list([int32(1)]), list([int32(1)])]);
    const shown = topics.map((topic) => Buffer.concat([int16(0), text(topic), Buffer.from([0]), list([partition])]));
    return Buffer.concat([list([broker]), int32(1), list(shown)]);
  }
  if (api !== produce) throw new Error(`The broker of the tests does not know request ${api}`);
  request.text();
  request.int16();
  request.int32();
  const topics = request.list(() => {
    const topic = request.text();
    request.list(() => {
      request.int32();
      taken.push(...parseRecords(request.bytes(request.int32())).map((record) => ({ topic, ...record })));
    });
    return topic;
  });
  const partition = Buffer.concat([int32(0), int16(0), Buffer.alloc(8), Buffer.alloc(8)]);
  return Buffer.concat([list(topics.map((topic) => Buffer.concat([text(topic), list([partition])]))), int32(0)]);
}

/** Keys and values of a record batch of format 2 that is not compressed. */
function parseRecords(batch: Buffer): Omit<ReceivedRecord, 'topic'>[] {
  const records = reader(batch.subarray(57));
  return records.list(() => {
    records.varint();
    records.bytes(1);
    records.varint();
    records.varint();
    const text = (): string => records.bytes(records.varint()).toString('utf8');
    const [key, value] = [text(), text()];
    const headers: Record<string, string> = {};
    for (let left = records.varint(); left > 0; left -= 1) {
      const name = text();
      headers[name] = text();
    }
    return { key, value, headers };
  });
}

type Reader = ReturnType<typeof reader>;

function reader(buffer: Buffer) {
  let at = 0;
  const bytes = (count: number): Buffer => {
    at += Math.max(0, count);
    return buffer.subarray(at - Math.max(0, count), at);
  };
  const int16 = (): number => bytes(2).readInt16BE(0);
  const int32 = (): number => bytes(4).readInt32BE(0);
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte = 0] = bytes(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return (value >>> 1) ^ -(value & 1);
    }
  };
  return {
    bytes,
    int16,
    int32,
    varint,
    text: (): string => bytes(int16()).toString('utf8'),
    list: <Value>(one: () => Value): Value[] => Array.from({ length: Math.max(0, int32()) }, one),
  };
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function text(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);
}

function list(parts: readonly Buffer[]): Buffer {
  return Buffer.concat([int32(parts.length), ...parts]);
}
