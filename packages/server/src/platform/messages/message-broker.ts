import type { Producer } from 'kafkajs';

/** Messages with the same key stay in order. */
export interface Message {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MessageBroker {
  /** Resolves once the broker stored it. @throws BrokerFailure */
  send(message: Message): Promise<void>;
  close(): Promise<void>;
}

/** The broker did not take a message; retrying may help, unless it refused the message itself. */
export class BrokerFailure extends Error {
  readonly isRefused: boolean;

  constructor(message: string, cause: unknown, isRefused = false) {
    super(message, { cause });
    this.name = 'BrokerFailure';
    this.isRefused = isRefused;
  }
}

/** Broker errors that a retry never fixes. */
const refusals = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'CORRUPT_MESSAGE'];

const connectMs = 5_000;
const answerMs = 20_000;

/** Apache Kafka at the operator's addresses. Nothing is loaded or connected before the first message. */
export function createKafkaBroker(addresses: readonly string[]): MessageBroker {
  let producer: Promise<Producer> | undefined;
  const connected = async (): Promise<Producer> => {
    const { Kafka, Partitioners, logLevel } = await import('kafkajs');
    const kafka = new Kafka({
      clientId: 'portolan',
      brokers: [...addresses],
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      // the sender reports failures, and its job retries
      logLevel: logLevel.NOTHING,
      retry: { retries: 2 },
    });
    const made = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await made.connect();
    return made;
  };
  return {
    send: async ({ topic, key, value, headers }) => {
      producer ??= connected();
      const used = producer;
      try {
        await (await used).send({
          topic,
          messages: [{ key, value, ...(headers ? { headers: { ...headers } } : {}) }],
          acks: -1,
          timeout: answerMs,
        });
      } catch (error) {
        const { type = '', message } = error as Error & { type?: string };
        if (refusals.includes(type)) throw new BrokerFailure(`The message broker refused it: ${message}`, error, true);
        // the next message reconnects; close what was connected
        if (producer === used) producer = undefined;
        used.then((made) => made.disconnect()).catch(() => undefined);
        throw new BrokerFailure(`The message broker did not take it: ${message}`, error);
      }
    },
    close: async () => {
      const last = producer;
      producer = undefined;
      if (last) await last.then((made) => made.disconnect()).catch(() => undefined);
    },
  };
}
