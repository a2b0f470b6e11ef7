import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../src/run.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { type SeededOrganization, seedLegacyOrganization } from './seed-teams.ts';
import { createTestContext } from './test-context.ts';

let server: ServerProcess;
let seeded: SeededOrganization;
beforeAll(async () => {
  server = await startServer();
  seeded = await seedLegacyOrganization(server);
});
afterAll(() => server?.stop());

async function called(...given: readonly string[]) {
  const connection = ['--url', server.address, '--client-id', seeded.clientId, '--client-secret', seeded.clientSecret];
  const { context, out, err } = createTestContext({ fetch });
  return { code: await run(['migrate', ...given, ...connection], context), out: out(), err: err() };
}

async function verified(): Promise<readonly { id: string; state: string; place: string }[]> {
  const { out } = await called('verify');
  return out
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [id = '', state = '', , ...place] = line.split(/ {2,}/);
      return { id, state, place: place.join(' ') };
    });
}

test('what is suggested is shown, applied and taken back, one by one and all at once', async () => {
  expect(await called('apply', 'nothing')).toMatchObject({ code: 1, err: expect.stringContaining('not_migrated') });
  await called('start');
  for (let round = 0; round < 100; round += 1) {
    if ((await called('status')).out.startsWith('COMPLETED')) break;
    await delay(200);
  }
  const items = await verified();
  const broken = items.filter(({ state }) => state === 'broken');
  const { id } = broken.find(({ place }) => place.includes('is_sre')) ?? { id: '' };
  const shown = 'blueprint service /calculationProperties/is_sre/calculation: ';
  for (const options of [['--dry-run'], []]) {
    const answer = await called('apply', id, ...options);
    expect(answer).toMatchObject({ code: 0, err: '' });
    expect(answer.out.startsWith(shown)).toBe(true);
    expect(answer.out).toMatch(/ -> ".*index.*sre.*"\n$/);
  }
  const all = await called('apply', '--all');
  expect(all).toMatchObject({ code: 0, err: expect.stringMatching(/^\d+ suggestions applied, 0 refused\.\n$/) });
  const applied = (await verified()).filter(({ state }) => state === 'applied');
  expect(applied.length).toBe(Number.parseInt(all.err, 10) + 1);
  // nothing is left to apply
  expect((await called('apply', '--all')).err).toBe('0 suggestions applied, 0 refused.\n');
  expect((await called('revert', id)).code).toBe(0);
  expect(await called('revert', id)).toMatchObject({ code: 1, err: expect.stringContaining('not_found') });
  expect((await called('revert', '--all')).err).toBe(`${applied.length - 1} suggestions taken back, 0 refused.\n`);
  expect(await verified()).toEqual(items);
  for (const wrong of [['apply'], ['revert'], ['apply', id, '--all'], ['verify', id]]) {
    expect([wrong, (await called(...wrong)).code]).toEqual([wrong, 2]);
  }
}, 120_000);
