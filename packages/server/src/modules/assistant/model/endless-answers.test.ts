import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { streamBytesMax } from '../../../platform/outgoing/outgoing.ts';
import { createModel } from './create-model.ts';
import type { ModelProvider } from './model-settings.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A provider whose answer never ends; returns the number of bytes read from it. */
async function startEndless(status: number, contentType: string, piece: string): Promise<() => number> {
  let sent = 0;
  server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': contentType });
    const go = (): void => {
      while (!response.destroyed) {
        sent += piece.length;
        if (!response.write(piece)) return void response.once('drain', go);
      }
    };
    go();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return () => sent;
}

async function readAll(provider: ModelProvider): Promise<unknown> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const aws = { region: 'eu-west-1' };
  const model = await createModel({ provider, model: 'mock', baseUrl, apiKey: 'sk-1', aws });
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  try {
    const stream = await model.openStream({ prompt }, new AbortController().signal);
    for (let parts = await stream.read(); parts; parts = await stream.read()) {
      const failed = parts.find(({ type }) => type === 'error');
      if (failed) return failed;
    }
  } catch (error) {
    return error;
  }
  throw new Error('it ended well');
}

const providers: ModelProvider[] = ['openai-compatible', 'openai', 'anthropic', 'azure-openai', 'google', 'bedrock'];
const mebibyte = 1024 * 1024;

test.each(providers)('a line of %s that never ends breaks off', async (provider) => {
  const taken = await startEndless(200, 'text/event-stream', 'x'.repeat(64 * 1024));
  await readAll(provider);
  // includes bytes that were in transit
  expect(taken()).toBeLessThan(provider === 'bedrock' ? streamBytesMax + 8 * mebibyte : 12 * mebibyte);
});

test.each(providers)('an error of %s that never ends breaks off', async (provider) => {
  const taken = await startEndless(500, 'application/json', 'x'.repeat(64 * 1024));
  await readAll(provider);
  expect(taken()).toBeLessThan(12 * mebibyte);
});
