import { expect, test } from 'vitest';
import { toClientKind } from './client-kind.ts';

const webhook = { identifier: 'w', deliveryId: 'd' };

test.each([
  ['port-ocean/jira/1.0.0/main/exporter', 'integration'],
  ['port-ocean/gitlab-v2/0.3.1/a/b/gitops', 'integration'],
  ['port-k8s-exporter/^0.3.4 (statekey/cluster)', 'integration'],
  ['terraform-provider-port-labs/2.2.0', 'direct'],
  ['github-action/v1.0', 'direct'],
  ['Mozilla/5.0 port-ocean/', 'direct'],
  ['', 'direct'],
])('%j is %s', (datasource, kind) => {
  expect(toClientKind({ datasource })).toBe(kind);
});

test('a webhook is one by the delivery it acts for, and what is tried is what it is tried as', () => {
  expect(toClientKind({ datasource: 'portolan-webhook/w', webhook })).toBe('webhook');
  expect(toClientKind({ datasource: 'portolan-webhook/w' })).toBe('direct');
  expect(toClientKind({ datasource: 'Mozilla/5.0', writesAs: 'integration' })).toBe('integration');
});
