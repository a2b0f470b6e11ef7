import { expect, test } from 'vitest';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const shared = 'postgresql://portolan:secret@db/portolan';

async function called(given: readonly string[], { ends = 0, environment = {} as Record<string, string> } = {}) {
  const { context, err, ran } = createTestContext({ workingDirectory: '/srv', environment, ends });
  return { code: await run(['upgrade', ...given], context), err: err(), ran };
}

test('the database is the one that is named, else that of the servers', async () => {
  const environment = { DATABASE_URL: shared };
  expect((await called(['check', '--json'], { environment })).ran).toEqual([['check', '--json', '--database', shared]]);
  const copy = 'postgresql://portolan@db/copy';
  expect((await called(['rehearse', '--database', copy], { environment })).ran).toEqual([
    ['rehearse', '--database', copy],
  ]);
  expect((await called(['finish', '--data-dir', 'data'], { environment })).ran).toEqual([
    ['finish', '--data-dir', '/srv/data'],
  ]);
});

test.each([
  ['50GB', 50 * 1024 ** 3],
  ['1.5 tb', 1.5 * 1024 ** 4],
])('what is free is said in bytes: %s', async (free, bytes) => {
  const { ran } = await called(['check', '--free', free, '--database', shared]);
  expect(ran).toEqual([['check', '--free', String(bytes), '--database', shared]]);
});

test.each([0, 1, 3, 4])('what the program ends with is what the command ends with: %i', async (ends) => {
  expect((await called(['check', '--database', shared], { ends })).code).toBe(ends);
});

test.each([
  [[], /Say what to do: portolan upgrade check \| rehearse \| finish/],
  [['go'], /Say what to do/],
  [['check', 'now'], /one word too many/],
  [['check'], /Say which database/],
  [['check', '--database', 'mysql://h/d'], /no address of a PostgreSQL database/],
  [['check', '--free', 'much', '--database', shared], /--free is a size/],
  [['finish', '--free', '1GB', '--database', shared], /--free is for portolan upgrade check/],
  [['rehearse', '--data-dir', 'data'], /Name the copy/],
])('a mistake in the call is told, and nothing is done: %j', async (given, message) => {
  expect(await called(given)).toMatchObject({ code: 2, err: expect.stringMatching(message), ran: [] });
});

test('a rehearsal never takes the database of the servers by itself', async () => {
  const { code, ran } = await called(['rehearse'], { environment: { DATABASE_URL: shared } });
  expect([code, ran]).toEqual([2, []]);
});
