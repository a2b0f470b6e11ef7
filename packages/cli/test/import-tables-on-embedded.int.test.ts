import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../src/run.ts';
import { onlyOn } from './only-on.ts';
import { type ServerProcess, startCuttingProxy, startServer } from './processes.ts';
import { createTestContext } from './test-context.ts';

onlyOn('embedded', 'the command line sees the API alone, whatever stores the catalog', () => {
  let server: ServerProcess;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-tables-'));
    server = await startServer();
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function importing(text: string, given: readonly string[], address = server.address) {
    writeFileSync(join(folder, 'crates.csv'), text);
    const environment = { PORTOLAN_URL: address, PORTOLAN_DATA_DIR: server.dataDir };
    const { context, out, err } = createTestContext({ fetch, environment, workingDirectory: folder });
    return { code: await run(['import', 'crates.csv', ...given], context), out: out(), err: err() };
  }

  const rows = (count: number) => Array.from({ length: count }, (_, index) => `crate-${index},${index}\n`).join('');

  test('a table becomes a blueprint and its entities, and the same table again changes nothing', async () => {
    const first = await importing(`Id,Weight\n${rows(3)}`, ['--new-blueprint', 'Box']);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain('Imported: 3 created, 0 changed, 0 unchanged.');
    const again = await importing(`Id,Weight\n${rows(3)}`, ['--blueprint', 'box', '--source', 'boxes']);
    expect(again.out).toContain('Imported: 0 created, 0 changed, 3 unchanged.');
    const fewer = await importing(`Id,Weight\n${rows(2)}`, ['--blueprint', 'box', '--source', 'boxes', '--dry-run']);
    expect(fewer.out).toContain('1 entity of this source not in the file');
  });

  test('connections that break in the middle lose no row and write none twice', async () => {
    await importing('Id,Weight\nfirst,1\n', ['--new-blueprint', 'Crate']);
    // the plan of 5,001 rows comes first; its answers and those of the import are cut
    const proxy = await startCuttingProxy(server.address, ['"line":1000', '"line":3500', '"line":1500', '"line":3000']);
    try {
      const options = ['--blueprint', 'crate', '--keep-going', '--refused', 'refused.csv'];
      const { code, out, err } = await importing(`Id,Weight\n${rows(5000)}broken,x\n`, options, proxy.address);
      expect({ code, err }).toEqual({ code: 5, err: expect.stringContaining('row 5002, Weight: "x" is no number.') });
      expect(proxy.cuts()).toBe(4);
      expect(out).toContain('Plan: 5001 rows: 5000 to create, 0 to change, 0 unchanged, 1 refused.');
      expect(out).toContain('Imported: 5000 created, 0 changed, 0 unchanged, 1 refused.');
    } finally {
      await proxy.stop();
    }
    const refused = readFileSync(join(folder, 'refused.csv'), 'utf8');
    expect(refused).toBe('Id,Weight,problem\r\nbroken,x,"Weight: ""x"" is no number."\r\n');
  });
});
