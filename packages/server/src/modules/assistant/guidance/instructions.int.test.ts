import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AssistantHarness,
  send,
  startAssistantHarness,
  type TestOrganization,
} from '../../../../test/assistant-harness.ts';

/** What models follow is written by those who may, until an organization decides otherwise. */
let harness: AssistantHarness;
let organization: TestOrganization;

beforeAll(async () => {
  harness = await startAssistantHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  organization = await harness.organization();
});

const text = { type: 'string' };
const blueprints = { skill: 'instructions', prompt: 'template', _ai_agent: 'prompt' } as const;

describe.each(Object.entries(blueprints))('instructions of type %s', (blueprint, field) => {
  const path = `/v1/blueprints/${blueprint}/entities`;
  const entity = (words: string) => ({
    identifier: 'triage',
    properties: { [field]: words, ...(blueprint === '_ai_agent' ? { status: 'active', tools: ['^get_.*'] } : {}) },
  });
  beforeEach(async () => {
    if (blueprint.startsWith('_')) return;
    const body = { identifier: blueprint, title: blueprint, schema: { properties: { [field]: text } } };
    expect((await organization.call('POST', '/v1/blueprints', body)).status).toBe(201);
  });

  test('are neither made, changed nor removed by members', async () => {
    const member = await organization.member();
    const by = (method: string, at: string, body?: unknown) => send(harness.url, member, method, at, body);
    expect((await by('POST', path, entity('Drop it.'))).status).toBe(403);
    expect((await organization.call('POST', path, entity('Look first.'))).status).toBe(201);
    const changed = { properties: { [field]: 'Drop it.' } };
    expect((await by('PATCH', `${path}/triage`, changed)).status).toBe(403);
    expect((await by('POST', `${path}?upsert=true`, entity('Drop it.'))).status).toBe(403);
    expect((await by('DELETE', `${path}/triage`)).status).toBe(403);
    const { entity: kept } = (await (await organization.call('GET', `${path}/triage`)).json()) as {
      entity: { properties: Record<string, string> };
    };
    expect(kept.properties[field]).toBe('Look first.');
  });
});
