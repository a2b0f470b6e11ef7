import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGitReader } from '../../src/modules/sources/git/git-reader.ts';
import { openGitea } from '../../src/modules/sources/git/hosts/gitea.ts';
import { verifyGiteaEvent } from '../../src/modules/sources/git/verify-event.ts';
import { createOutgoing } from '../../src/platform/outgoing/outgoing.ts';
import { defaultGitSettings } from './git-settings.ts';
import { declaring, makeRepository, updateFile } from './gitea-repositories.ts';
import { type GiteaServer, startGitea } from './gitea-server.ts';

const outgoing = createOutgoing({ allowsPrivateNetwork: true });
let gitea: GiteaServer;

beforeAll(async () => {
  gitea = await startGitea();
  await gitea.call('POST', '/orgs', { username: 'small' });
});
afterAll(async () => {
  await outgoing.close();
  await gitea?.stop();
});

function open() {
  const ports = { fetch: outgoing.fetch, now: () => new Date() };
  const access = { url: gitea.url, token: gitea.token, owners: ['small'] };
  return createGitReader(openGitea(access, ports), { ...defaultGitSettings(), owners: ['small'] }, ports);
}

test('a signed push tells what it changed and what it took away', async () => {
  await makeRepository(gitea, 'small', 'hooked');
  const reader = open();
  const delivered: { headers: Record<string, string>; bytes: Buffer }[] = [];
  const keep = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    delivered.push({ headers: request.headers as Record<string, string>, bytes: Buffer.concat(chunks) });
    response.end();
  };
  const receiver = createServer((request, response) => void keep(request, response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const signal = AbortSignal.timeout(30_000);
    expect(await reader.registerHook?.(url, 'first', signal)).toBe(true);
    expect(await reader.registerHook?.(url, 'hush', signal)).toBe(true);
    expect(await gitea.call('GET', '/orgs/small/hooks')).toHaveLength(1);
    const main = await gitea.call<{ commit: { id: string } }>('GET', '/repos/small/hooked/branches/main');
    await updateFile(gitea, 'small/hooked', 'port.yml', declaring('hooked', 'fresh'));
    // the pushes that made the repository are told too
    const findPush = () => delivered.find(({ bytes }) => JSON.parse(bytes.toString()).before === main.commit.id);
    await expect.poll(findPush, { timeout: 30_000 }).toBeDefined();
    const push = findPush();
    if (!push) return;
    expect(verifyGiteaEvent(push.headers, push.bytes, 'hush')).toBe(true);
    expect(verifyGiteaEvent(push.headers, push.bytes, 'other')).toBe(false);
    const event = { headers: push.headers, body: JSON.parse(push.bytes.toString()) };
    const page = await reader.readEvent?.(event, AbortSignal.timeout(30_000));
    expect(page?.items.map(({ key }) => key.split('#')[2]).filter(Boolean)).toEqual([
      'hooked@service',
      'fresh@service',
    ]);
    expect(page?.gone?.map(({ key }) => key.split('#')[2])).toEqual(['hooked-worker@service']);
    expect(page?.items[0]?.key.startsWith(new URL(gitea.url).host)).toBe(true);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}, 120_000);
