import { openApiDocument } from '@portolan/contract/openapi';
import { type Operation, operation } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHttpServer } from '../platform/http/server.ts';
import { createDocs, type DocsOptions } from './docs.ts';
import { type ApiDocument, listOperations } from './docs-document.ts';
import { exampleBody } from './docs-examples.ts';

const refuse = () => {
  throw new Error('No request of these tests needs a token');
};

function serve(options: DocsOptions = {}) {
  return createHttpServer({
    log: pino({ level: 'silent' }),
    gate: { authenticate: refuse, authenticateOperator: refuse },
    routes: [],
    surfaces: [createDocs(options)],
  });
}

async function page(options: DocsOptions = {}, url = '/docs'): Promise<string> {
  return (await serve(options).inject({ url })).body;
}

const document = openApiDocument(operations, '1.0.0') as unknown as ApiDocument;
const placed = document.tags.flatMap(({ name }) => listOperations(document, name));

describe('the reference', () => {
  test('holds every operation with its anchor, method, path and error codes', async () => {
    const text = await page();
    for (const { id, method, path } of operations) {
      expect(text).toContain(`<article id="${id}"`);
      expect(text).toContain(`href="#${id}"`);
      expect(findSection(text, id)).toContain(`>${method}</span>`);
      expect(findSection(text, id).replaceAll('<wbr>', '')).toContain(`<code>${path}</code>`);
      expect(findSection(text, id)).toContain('href="#error-internal_error"');
    }
  });

  test('leads nowhere that does not exist on the page', async () => {
    const text = await page();
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(targets)].filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('names no other server than the one the reader is on', async () => {
    for (const url of ['/', '/docs', '/docs/style.css', '/docs/filter.js']) {
      const text = await page({ publicUrl: () => 'http://portal.test' }, url);
      expect(text.match(/(src|href)="(?!\/(?!\/)|#)[^"]*"|url\(|@import/g)).toBeNull();
    }
  });

  test('says that the assistant is in open beta, and so does the first page', async () => {
    const sentence = /in open\s+beta and not recommended for production-critical workflows\s+at first/;
    expect(await page()).toMatch(sentence);
    expect(await page({}, '/')).toMatch(sentence);
  });

  test('cannot be made to carry markup by what an operation or the address says', async () => {
    const evil = `<script>alert(1)</script>"'&`;
    const hostile: Operation = operation({
      id: 'hostile',
      method: 'POST',
      path: '/v1/hostile',
      tag: evil,
      summary: `\`${evil}\``,
      description: evil,
      access: 'token',
      query: z.object({ [evil]: z.string().describe(evil).default(evil) }),
      body: z.object({ field: z.enum([evil]).describe(evil) }),
      errors: [],
    });
    const options = { operations: [hostile], publicUrl: () => evil };
    for (const url of ['/docs', '/']) {
      const text = await page(options, url);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
      expect(text).not.toContain('<script>');
      expect(text).not.toContain(`"'&`);
    }
  });

  test('shows the members of a body as a tree, what is required, and where the values end', async () => {
    const text = findSection(await page(), 'createBlueprint');
    expect(text).toContain('<code class="name">identifier</code> <span class="type">string</span>');
    expect(text).toContain('<span class="required">required</span>');
    expect(text).toContain('Members of <code>schema</code>');
    expect(text).toContain('Each value of <code>relations</code>');
    expect(text).toContain('Length 1 to 100.');
    expect(findSection(await page(), 'invokeAssistant')).toContain('<span class="type">map of any JSON</span>');
  });

  test('ends at a schema that holds itself', async () => {
    interface Tree {
      children?: Tree[] | undefined;
    }
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree).optional() }));
    const recursive = operation({
      id: 'recursive',
      method: 'POST',
      path: '/v1/recursive',
      tag: 'Trees',
      summary: 'Plant a tree',
      access: 'public',
      body: z.object({ tree }),
      errors: [],
    });
    expect(await page({ operations: [recursive] })).toContain('<code class="name">children</code>');
  });
});

test.each(placed.filter(({ requestBody }) => requestBody).map((each) => [each.operationId, each] as const))(
  'the example of %s has a body that the operation accepts',
  (id, each) => {
    const declared = operations.find((one) => one.id === id);
    // an operation on raw bytes accepts any body
    const body = declared?.rawBodyBytesMax === undefined ? declared?.body : z.unknown();
    expect(body?.safeParse(exampleBody(each))).toMatchObject({ success: true });
  },
);

describe('what is served', () => {
  test('/openapi.json is the document of the operations', async () => {
    const answer = await serve({ version: '1.0.0' }).inject({ url: '/openapi.json' });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test.each(['/', '/openapi.json', '/docs', '/docs/style.css', '/docs/filter.js', '/docs/icon.svg'])(
    '%s is not sent again to who has it, and may load nothing from elsewhere',
    async (url) => {
      const app = serve();
      const first = await app.inject({ url });
      const again = (tag: string) => app.inject({ url, headers: { 'if-none-match': tag } });
      const tag = String(first.headers['etag']);
      expect(first.statusCode).toBe(200);
      expect(first.headers['content-security-policy']).toMatch(/^default-src 'none';/);
      expect(first.headers['content-security-policy']).not.toContain('unsafe');
      expect(await again(tag)).toMatchObject({ statusCode: 304, body: '' });
      expect(await again(`"other", ${tag.replace('W/', '')}`)).toMatchObject({ statusCode: 304 });
      expect(await again('W/"other"')).toMatchObject({ statusCode: 200 });
    },
  );

  test('is zipped for who can read that', async () => {
    const app = serve();
    const zipped = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'br, gzip' } });
    const refused = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(zipped.rawPayload.length).toBeLessThan(refused.rawPayload.length / 5);
    expect(refused.headers['content-encoding']).toBeUndefined();
  });
});

function findSection(text: string, id: string): string {
  return text.split(`<article id="${id}"`)[1]?.split('</article>')[0] ?? '';
}
