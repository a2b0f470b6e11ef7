import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import type { Actor } from './actor.ts';
import { createTestClock } from './clock.ts';
import { defineJob } from './jobs/job.ts';
import { createJobs } from './jobs/jobs.ts';
import { createUnitOfWork, type DomainRecord, type UnitOfWork } from './unit-of-work.ts';

const actor: Actor = {
  orgId: 'org_1',
  kind: 'machine',
  id: 'client_1',
  roles: ['Admin'],
  teamKeys: [],
  model: 'blueprints',
  datasource: 'test',
  origin: 'API',
};
const record = (identifier: string): DomainRecord => ({
  event: 'thing.created',
  action: 'CREATE',
  resourceType: 'entity',
  identifier,
  context: {},
});
const job = defineJob({
  name: 'trial.react',
  input: z.object({ id: z.string() }),
  attempts: 1,
  timeoutMs: 1_000,
  run: async () => undefined,
});
const clock = createTestClock();

let given: TestDatabase;
let unitOfWork: UnitOfWork;
let writes: string[][];
let failure: Error | undefined;
let pauses = 0;
beforeAll(async () => {
  given = await createTestDatabase();
  const log = { info() {}, warn() {}, error() {} };
  const jobs = createJobs({ database: given.database, clock, log });
  jobs.register([job]);
  unitOfWork = createUnitOfWork({
    database: given.database,
    jobs,
    clock,
    giveWay: async () => {
      pauses += 1;
    },
    writeRecords: async (tx, by, now, records) => {
      if (failure) throw failure;
      writes.push([by.id, now.toISOString(), ...records.map(({ identifier }) => identifier)]);
      await tx.execute(sql`insert into things values (${`records ${records.length}`})`);
    },
  });
  await given.database.transaction((tx) => tx.execute(sql`create table things (id text)`));
});
afterAll(() => given.drop());
beforeEach(async () => {
  writes = [];
  failure = undefined;
  await given.database.transaction(async (tx) => {
    await tx.execute(sql`delete from things`);
    await tx.execute(sql`delete from jobs`);
  });
});

const left = async (): Promise<unknown[]> => [
  (await given.database.rows<{ id: string }>(sql`select id from things order by id`)).map(({ id }) => id),
  (await given.database.rows(sql`select org_id, name, input from jobs`)).length,
];

test('state, records and jobs are written together', async () => {
  const value = await unitOfWork(actor, async (work) => {
    await work.tx.execute(sql`insert into things values ('a')`);
    work.record(record('a'));
    work.record(record('b'));
    await work.enqueue(job, { id: 'a' });
    expect(work.now).toEqual(clock.now());
    return 'done';
  });
  expect(value).toBe('done');
  expect(writes).toEqual([['client_1', clock.now().toISOString(), 'a', 'b']]);
  expect(await left()).toEqual([['a', 'records 2'], 1]);
});

test('none of them is when the body fails', async () => {
  const failing = unitOfWork(actor, async (work) => {
    await work.tx.execute(sql`insert into things values ('a')`);
    work.record(record('a'));
    await work.enqueue(job, { id: 'a' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await left()).toEqual([[], 0]);
});

test('none of them is when the records cannot be written', async () => {
  failure = new Error('journal is full');
  const failing = unitOfWork(actor, async (work) => {
    await work.enqueue(job, { id: 'a' });
    work.record(record('a'));
  });
  await expect(failing).rejects.toThrow('journal is full');
  expect(await left()).toEqual([[], 0]);
});

test('the journal is not asked when nothing was recorded', async () => {
  await unitOfWork(actor, async () => undefined);
  expect(writes).toEqual([]);
});

test('a body that is repeated leaves the records of its last run alone', async () => {
  let runs = 0;
  await unitOfWork(actor, async (work) => {
    runs += 1;
    work.record(record(`run ${runs}`));
    await work.enqueue(job, { id: 'a' });
    if (runs === 1) await work.tx.execute(sql`do $$ begin raise exception 'x' using errcode = '40001'; end $$`);
  });
  expect(writes).toEqual([['client_1', clock.now().toISOString(), 'run 2']]);
  expect(await left()).toEqual([['records 1'], 1]);
});

test('who gives way does so after each statement, and nobody else; with one connection in hand nobody does', async () => {
  const pausesOf = async (by: Actor): Promise<number> => {
    pauses = 0;
    await unitOfWork(by, async ({ tx }) => {
      await tx.execute(sql`insert into things values ('a')`);
      await tx.rows(sql`select id from things`);
    });
    return pauses;
  };
  expect(await pausesOf(actor)).toBe(0);
  // its two statements, and the look whether the organization takes changes
  expect(await pausesOf({ ...actor, givesWay: true })).toBe(given.engine.kind === 'postgres' ? 3 : 0);
});
