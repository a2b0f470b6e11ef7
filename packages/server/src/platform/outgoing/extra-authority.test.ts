import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownAuthority } from '../../../test/own-authority.ts';
import { splitCertificates } from './certificates.ts';
import { createOutgoing, type OutgoingOptions } from './outgoing.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(ownAuthority.server, (_request, response) => response.end('inside'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `https://localhost:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

async function ask(options: OutgoingOptions): Promise<string> {
  const outgoing = createOutgoing(options);
  try {
    const { body } = await outgoing.send({ url, method: 'GET' });
    const streamed = await outgoing.fetch(url);
    return body + (await streamed.text());
  } finally {
    await outgoing.close();
  }
}

const extraCertificates = splitCertificates(`# of the company\n${ownAuthority.certificate}`);

test.each([{ allowsPrivateNetwork: true }, { allowsPrivateNetwork: false, privateHosts: ['localhost'] }])(
  'a server whose authority was added is reached, with %j',
  async (options) => {
    expect(await ask({ ...options, extraCertificates })).toBe('insideinside');
  },
);

test('without that, the failure names the setting', async () => {
  await expect(ask({ allowsPrivateNetwork: true })).rejects.toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('PORTOLAN_EXTRA_CA_FILE'),
  });
});

test('an authority that was added opens no address, and is no proof of another name', async () => {
  await expect(ask({ allowsPrivateNetwork: false, extraCertificates })).rejects.toMatchObject({ kind: 'refused' });
  const outgoing = createOutgoing({ allowsPrivateNetwork: true, extraCertificates });
  await expect(outgoing.send({ url: url.replace('localhost', '127.0.0.2'), method: 'GET' })).rejects.toMatchObject({
    kind: 'unreachable',
  });
  await outgoing.close();
});
