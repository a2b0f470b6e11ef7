import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext, testEnvironment } from '../../test/test-context.ts';
import { run } from '../run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-cli-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const whole = gzipSync('{"portolan":{}}\n{"end":true,"tables":0,"sha256":"x"}\n');

async function called(
  given: readonly string[],
  { bytes = whole, ends = 0, environment = testEnvironment as object } = {},
) {
  const { fetch, seen } = scriptedFetch({
    'GET /v1/operator/backup': () =>
      new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/gzip' } }),
  });
  const { context, out, err, ran } = createTestContext({
    fetch,
    environment: environment as Record<string, string>,
    workingDirectory: folder,
    ends,
  });
  return { code: await run(given, context), out: out(), err: err(), ran, asked: seen.length };
}

describe('of a running server', () => {
  test('the file is what the server sent, and has its name once it is whole', async () => {
    const { code, err } = await called(['backup', '--output', 'taken.ptb']);
    expect([code, err]).toEqual([0, `Backed up to ${join(folder, 'taken.ptb')} (${whole.length} bytes).\n`]);
    expect(readFileSync(join(folder, 'taken.ptb'))).toEqual(whole);
    expect(readdirSync(folder)).toEqual(['taken.ptb']);
  });

  test.each([
    ['cut in its packing', whole.subarray(0, whole.length - 9)],
    ['cut at a line', gzipSync('{"portolan":{}}\n')],
    ['of something else', Buffer.from('<html>')],
  ])('an answer %s is no backup, and leaves no file', async (_name, bytes) => {
    const { code, err } = await called(['backup', '--output', 'taken.ptb'], { bytes });
    expect([code, err]).toEqual([1, expect.stringMatching(/^portolan: backup_broken_off: /)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('- writes it to stdout', async () => {
    const { code, out } = await called(['backup', '--output', '-']);
    expect([code, out]).toEqual([0, whole.toString('latin1')]);
  });

  test('a folder that is not there is a sentence', async () => {
    const { code, err } = await called(['backup', '--output', 'no/taken.ptb']);
    expect([code, err]).toEqual([1, expect.stringMatching(/not_written: .*taken\.ptb cannot be written \(ENOENT\)/)]);
  });
});

describe('of a database that no server has open', () => {
  test('is left to the program of the server, and its address does not stand among the arguments', async () => {
    const database = 'postgresql://portolan:secret@db/portolan';
    const taken = await called(['backup', '--output', 'taken.ptb', '--database', database]);
    expect(taken).toMatchObject({
      code: 0,
      asked: 0,
      ran: [['take', join(folder, 'taken.ptb'), '--database', database]],
    });
    const restored = await called(['restore', 'taken.ptb', '--data-dir', 'new', '--plan'], { ends: 1 });
    expect(restored).toMatchObject({
      code: 1,
      ran: [['restore', join(folder, 'taken.ptb'), '--plan', '--data-dir', join(folder, 'new')]],
    });
    const verified = await called(['restore', 'verify', '--data-dir', '/data', '--json']);
    expect(verified.ran).toEqual([['verify', '--json', '--data-dir', '/data']]);
    const checked = await called(['backup', 'verify', 'taken.ptb']);
    expect(checked.ran).toEqual([['check', join(folder, 'taken.ptb')]]);
  });
});

test.each([
  [['backup'], /Say where to write/],
  [['backup', 'now'], /"backup now" is not known/],
  [['backup', 'verify'], /Name one file/],
  [['backup', '--output', 'x', '--data-dir', 'd', '--database', 'postgresql://h/d'], /not both/],
  [['backup', '--output', 'x', '--database', 'mysql://h/d'], /no address of a PostgreSQL database/],
  [['restore'], /Name the file/],
  [['restore', 'taken.ptb'], /Say which database/],
  [['restore', 'taken.ptb', 'more', '--data-dir', 'd'], /one word too many/],
])('a mistake in the call is told, and nothing is done: %j', async (given, message) => {
  expect(await called(given)).toMatchObject({ code: 2, err: expect.stringMatching(message), ran: [], asked: 0 });
});
