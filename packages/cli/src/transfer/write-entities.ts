import { ApiError, type Client } from '@portolan/contract/client';
import { bulkUpsertEntities } from '@portolan/contract/entities';
import { type EntityRecord, entityKey, type TransferProblem } from '@portolan/contract/transfer-file';

/** The limit of one bulk request. */
const bulkSize = 20;

/** An entity as sent now; relations that follow later may be missing from `body`. */
export interface PreparedEntity {
  readonly record: EntityRecord;
  readonly body: object;
}

export interface WriteResult {
  /** Keys of the entities that did not exist before. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly problems: readonly TransferProblem[];
}

export interface SendOptions {
  /** Validates everything and writes nothing. */
  readonly validationOnly: boolean;
  readonly wait: (ms: number) => Promise<void>;
  readonly onProgress: (count: number) => void;
}

const attemptsMax = 4;
const waitMsFirst = 500;

/**
 * Sends entities in order, in requests of up to twenty of one blueprint. Fields that the file omits stay unchanged.
 * Returns the refused ones; the others are written. Repeating the call is safe.
 * @throws ApiError or a `fetch` error for a failure that is not about an entity or a blueprint
 */
export async function sendEntities(
  client: Client,
  sendings: readonly PreparedEntity[],
  options: SendOptions,
): Promise<WriteResult> {
  const sent = { created: [] as string[], updated: [] as string[], problems: [] as TransferProblem[] };
  for (const batch of toBatches(sendings)) {
    const part = await sendBatch(client, batch, options);
    sent.created.push(...part.created);
    sent.updated.push(...part.updated);
    sent.problems.push(...part.problems);
  }
  return sent;
}

function toBatches(sendings: readonly PreparedEntity[]): PreparedEntity[][] {
  const byBlueprint = new Map<string, PreparedEntity[]>();
  for (const sending of sendings) {
    const { blueprint } = sending.record;
    const group = byBlueprint.get(blueprint);
    if (group) group.push(sending);
    else byBlueprint.set(blueprint, [sending]);
  }
  return [...byBlueprint.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / bulkSize) }, (_, index) =>
      group.slice(index * bulkSize, (index + 1) * bulkSize),
    ),
  );
}

async function sendBatch(client: Client, batch: readonly PreparedEntity[], options: SendOptions): Promise<WriteResult> {
  const [first] = batch;
  if (!first) return { created: [], updated: [], problems: [] };
  try {
    const answer = await retried(options.wait, () =>
      client.call(bulkUpsertEntities, {
        params: { blueprint_identifier: first.record.blueprint },
        query: { upsert: true, merge: true, validation_only: options.validationOnly },
        body: { entities: batch.map(({ body }) => body) },
      }),
    );
    options.onProgress(batch.length);
    const keysOf = (items: typeof answer.entities) => items.map(({ index }) => entityKey(recordAt(batch, index)));
    return {
      created: keysOf(answer.entities.filter(({ created }) => created)),
      updated: keysOf(answer.entities.filter(({ created }) => !created)),
      problems: answer.errors.map(({ index, error, message }) => toProblem(recordAt(batch, index), error, message)),
    };
  } catch (error) {
    return sendRefused(client, batch, options, error);
  }
}

/**
 * Handles a refused request: one that is too large is sent in halves; a blueprint's problem is reported for every
 * entity.
 */
async function sendRefused(
  client: Client,
  batch: readonly PreparedEntity[],
  options: SendOptions,
  error: unknown,
): Promise<WriteResult> {
  if (!(error instanceof ApiError) || !error.body) throw error;
  const { error: code } = error.body;
  if (code === 'payload_too_large' && batch.length > 1) {
    const half = Math.ceil(batch.length / 2);
    const left = await sendBatch(client, batch.slice(0, half), options);
    const right = await sendBatch(client, batch.slice(half), options);
    return {
      created: [...left.created, ...right.created],
      updated: [...left.updated, ...right.updated],
      problems: [...left.problems, ...right.problems],
    };
  }
  if (!ofTheBatch.has(code)) throw error;
  options.onProgress(batch.length);
  return {
    created: [],
    updated: [],
    problems: batch.map(({ record }) => toProblem(record, code, error.message)),
  };
}

const ofTheBatch: ReadonlySet<string> = new Set([
  'not_found',
  'missing_permissions',
  'invalid_request',
  'payload_too_large',
]);

/** Retries a few times while the server is busy or restarting. */
async function retried<T>(wait: SendOptions['wait'], call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const isBusy = error instanceof ApiError && [429, 503].includes(error.status);
      if (!isBusy || attempt === attemptsMax) throw error;
      await wait(waitMsFirst * 2 ** (attempt - 1));
    }
  }
}

function recordAt(batch: readonly PreparedEntity[], index: number): EntityRecord {
  const sending = batch[index];
  if (!sending) throw new SyntaxError('The answer names an entity that was not sent');
  return sending.record;
}

function toProblem({ line, blueprint, identifier }: EntityRecord, error: string, message: string): TransferProblem {
  return { line, blueprint, identifier, error, message };
}
