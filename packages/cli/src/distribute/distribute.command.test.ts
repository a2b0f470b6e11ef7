import { expect, test } from 'vitest';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const url = 'postgresql://portolan:secret@db/portolan';

async function called(given: readonly string[], environment: Record<string, string> = {}) {
  const { context, err, ran } = createTestContext({ workingDirectory: '/srv', environment, ends: 0 });
  return { code: await run(['distribute', ...given], context), err: err(), ran };
}

test('the database is the one that is named, else that of the servers', async () => {
  expect((await called(['--plan', '--json'], { DATABASE_URL: url })).ran).toEqual([['plan', '--json', url]]);
  const other = 'postgresql://portolan@coordinator/portolan';
  expect((await called(['--apply', '--database', other], { DATABASE_URL: url })).ran).toEqual([['apply', other]]);
});

test.each([
  [[], /--plan \| --apply/],
  [['--plan', '--apply', '--database', url], /--plan \| --apply/],
  [['now', '--plan', '--database', url], /--plan \| --apply/],
  [['--plan'], /Say which database/],
  [['--plan', '--database', 'mysql://h/d'], /no address of a PostgreSQL database/],
])('a mistake in the call is told, and nothing is done: %j', async (given, message) => {
  expect(await called(given)).toMatchObject({ code: 2, err: expect.stringMatching(message), ran: [] });
});
