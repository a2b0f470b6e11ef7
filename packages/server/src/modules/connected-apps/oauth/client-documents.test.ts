import { describe, expect, test } from 'vitest';
import { createTestClock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { OutgoingFailure, type OutgoingRequest } from '../../../platform/outgoing/outgoing.ts';
import { createClientDocuments, isDocumentAddress } from './client-documents.ts';

const address = 'https://editor.example/client.json';
const document = { client_id: address, client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'] };

/** Answers with what it is given, and remembers what was sent. */
function world(body: unknown = document, status = 200) {
  const sent: OutgoingRequest[] = [];
  const clock = createTestClock();
  let left = 3;
  const documents = createClientDocuments({
    clock,
    outgoing: {
      send: async (request) => {
        sent.push(request);
        if (body instanceof Error) throw body;
        return { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) };
      },
    },
    fetching: {
      take: () => {
        left -= 1;
        if (left < 0) throw new AppError('too_many_requests', 'Later');
      },
      giveBack: () => undefined,
    },
  });
  return { sent, clock, read: (of = address) => documents.read(of, 'ann') };
}

test('an app is what its document says, named with the host that published it', async () => {
  const { read, sent } = world();
  expect(await read()).toEqual({
    name: 'Editor (editor.example)',
    redirectUris: ['http://127.0.0.1/callback'],
  });
  expect(sent).toMatchObject([{ url: address, timeoutMs: 5_000, bytesMax: 16_384 }]);
  expect(sent[0]?.followsRedirects ?? false).toBe(false);
});

test.each([
  ['of another address', { ...document, client_id: 'https://other.example/client.json' }, 200],
  ['with a secret', { ...document, client_secret: 'x' }, 200],
  ['of an app that proves itself by a secret', { ...document, token_endpoint_auth_method: 'client_secret_post' }, 200],
  ['with an address that no app may be answered at', { ...document, redirect_uris: ['http://evil.example/'] }, 200],
  ['without an address', { ...document, redirect_uris: [] }, 200],
  ['that is a redirect', document, 302],
  ['that is not there', document, 404],
  ['that is no JSON', '{"client_id"', 200],
  ['that is a list', [document], 200],
  ['that the guard refuses', new OutgoingFailure('refused', 'private'), 200],
])('a document %s is none', async (_name, body, status) => {
  expect(await world(body, status).read()).toBeUndefined();
});

describe('a document', () => {
  test('is kept for five minutes, and what was none is asked for again', async () => {
    const { read, sent, clock } = world();
    await read();
    clock.advance(299_000);
    await read();
    expect(sent).toHaveLength(1);
    clock.advance(2_000);
    await read();
    expect(sent).toHaveLength(2);
    const other = world(document, 500);
    await other.read();
    await other.read();
    expect(other.sent).toHaveLength(2);
  });

  test('is fetched only so often for one person', async () => {
    const { read, sent } = world(document, 500);
    for (let round = 0; round < 3; round += 1) await read();
    await expect(read()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(sent).toHaveLength(3);
  });
});

test.each([
  ['http://editor.example/client.json'],
  ['https://editor.example/'],
  ['https://editor.example'],
  ['https://ann:pw@editor.example/client.json'],
  ['https://editor.example/client.json#part'],
  ['https://editor.example/a/../client.json'],
  ['https://EDITOR.example/client.json'],
  [`https://editor.example/${'a'.repeat(500)}`],
  ['mcpc_abc'],
  [''],
])('%s is no address of a document, and nothing is fetched', async (text) => {
  const { read, sent } = world();
  expect(isDocumentAddress(text)).toBe(false);
  expect(await read(text)).toBeUndefined();
  expect(sent).toEqual([]);
});
