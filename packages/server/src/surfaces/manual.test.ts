import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { systemActor } from '../platform/actor.ts';
import { callTool } from '../platform/tools/call-tool.ts';
import { createToolRegistry } from '../platform/tools/registry.ts';
import { manualTools } from './manual.tools.ts';
import { indexManual, splitSections } from './manual-index.ts';

const context = { actor: { ...systemActor('org'), origin: 'AI' as const }, signal: new AbortController().signal };

const docsFolder = fileURLToPath(new URL('../../../../docs', import.meta.url));

async function search(query: string, more: object = {}, folder: string | undefined = docsFolder) {
  const tools = createToolRegistry(manualTools(folder));
  const outcome = await callTool(tools, 'search_knowledge_sources', { query, ...more }, context);
  return outcome as { isError: boolean; content: { results: { page: string; heading: string; text: string }[] } };
}

describe('the documentation of this version', () => {
  test.each([
    ['how do I connect an MCP client', 'guides/connect-an-mcp-client.md'],
    ['fallback model provider', 'guides/model-providers.md'],
    ['ai_quota_exceeded', 'reference/errors/ai_quota_exceeded.md'],
    ['PORTOLAN_MASTER_KEY', 'reference/settings.md'],
    ['undo the migration of users and teams', 'guides/users-and-teams-migration.md'],
  ])('%j is answered by %s among the first three', async (query, page) => {
    const { content } = await search(query, { limit: 3 });
    expect(content.results.map((each) => each.page)).toContain(page);
    for (const { text } of content.results) expect(text.length).toBeLessThan(2_010);
  });

  test('that has no such word answers nothing', async () => {
    expect((await search('xyzzyplugh')).content.results).toEqual([]);
    expect((await search('!!! ???')).content.results).toEqual([]);
  });

  test('that is not installed is said so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'manual-'));
    const outcome = await search('anything', {}, join(folder, 'docs'));
    await rm(folder, { recursive: true });
    expect(outcome).toMatchObject({ isError: true, content: { error: 'service_unavailable' } });
  });
});

test('a page is taken apart at its headings, and not inside code', () => {
  const sections = splitSections(
    'a.md',
    '# Title\n\nIntro.\n\n## One\n\n```sh\n# no heading\n```\n\n## Empty\n\n### Two\nEnd.',
  );
  expect(sections.map(({ heading, text }) => [heading, text])).toEqual([
    ['Title', 'Intro.'],
    ['One', '```sh\n# no heading\n```'],
    ['Two', 'End.'],
  ]);
});

test('what is rare and stands in a heading comes first, and endings do not matter', () => {
  const section = (heading: string, text: string) => ({ page: 'a.md', title: 'A', heading, text });
  const index = indexManual([
    section('Runs', 'An action runs. Runs of an action run.'),
    section('Webhooks', 'An action calls.'),
    section('Other', 'An action may use webhooks, and many other words stand here as well.'),
  ]);
  expect(index.search('webhook action', 2).map(({ heading }) => heading)).toEqual(['Webhooks', 'Other']);
});
