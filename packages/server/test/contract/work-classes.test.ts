import { errorCodes } from '@portolan/contract/errors';
import { operationClass } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { filesUnder } from '../../../../tools/lib/source-files.ts';
import { AppError } from '../../src/platform/errors.ts';
import { createHttpServer } from '../../src/platform/http/server.ts';

const listIds = (workClass: string): string[] =>
  operations
    .filter((operation) => operationClass(operation) === workClass)
    .map(({ id }) => id)
    .sort();

test('what streams and what takes or reads large amounts is let in apart from what people wait for', () => {
  expect(listIds('streams')).toEqual([
    'followChanges',
    'invokeAgent',
    'invokeAssistant',
    'invokeRouter',
    'streamConversation',
    'streamInvocation',
    'streamWorkflowRunEvents',
  ]);
  expect(listIds('events')).toEqual(['callWorkflowTrigger', 'ingestWebhook', 'receiveSourceEvent']);
  expect(listIds('bulk')).toEqual([
    'addKindExamples',
    'addSyncMetrics',
    'aggregateEntities',
    'aggregateOverTime',
    'bulkDeleteEntities',
    'bulkUpsertEntities',
    'checkDerivedValues',
    'createDemoOrganization',
    'decideMissing',
    'deleteAllEntities',
    'exportAuditLog',
    'exportBackstage',
    'getCampaignProgress',
    'getPropertiesHistory',
    'getScorecardResults',
    'importLines',
    'ingestIntegrationLogs',
    'listEntities',
    'planInstall',
    'planPack',
    'planUsersAndTeams',
    'previewScorecard',
    'putSyncMetrics',
    'rehearseCutover',
    'rehearseUsersAndTeams',
    'replayWebhookDelivery',
    'searchByDatasource',
    'searchEntities',
    'simulateCutover',
    'simulatePermissions',
    'startDataMigration',
    'takeBackup',
    'undoImport',
    'verifyUsersAndTeams',
    'writeToLake',
  ]);
});

test('whoever adds an operation whose path says that it is large has to say its class', () => {
  const isLarge = /\/(bulk|all-entities|aggregate[^/]*|ingest|datasource-entities|rehearse|verify|plan)(\/|$)/;
  const large = operations.filter(({ path }) => isLarge.test(path) && !path.endsWith('/heartbeat'));
  expect(
    large.filter((operation) => !['bulk', 'events'].includes(operationClass(operation))).map(({ id }) => id),
  ).toEqual([]);
});

describe('no refusal that passes leaves without the seconds to wait', () => {
  const passing = Object.entries(errorCodes).filter(([, { status }]) => status === 429 || status === 503);
  const answer = async (thrown: () => never) => {
    const app = createHttpServer({
      log: pino({ level: 'silent' }),
      gate: { authenticate: () => Promise.reject(new Error('nobody')), authenticateOperator: () => undefined },
      routes: [],
      surfaces: [(made) => void made.get('/refused', async () => thrown())],
    });
    const answered = await app.inject({ url: '/refused' });
    await app.close();
    return answered;
  };

  test.each(passing)('%s', async (code) => {
    const { headers, statusCode } = await answer(() => {
      throw new AppError(code as 'service_unavailable', 'Not now');
    });
    expect([429, 503]).toContain(statusCode);
    expect(headers['retry-after']).toMatch(/^([1-9]|[12]\d|30)$/);
  });

  test('what the refusal itself says is kept, in whole seconds', async () => {
    const { headers } = await answer(() => {
      throw new AppError('too_many_requests', 'Not now', { retryAfterSeconds: 0.2 });
    });
    expect(headers['retry-after']).toBe('1');
  });

  test('callers who are refused together are not asked to come back together', async () => {
    const seconds = new Set<unknown>();
    for (let count = 0; count < 40; count += 1) {
      const { headers } = await answer(() => {
        throw new AppError('service_unavailable', 'Not now');
      });
      seconds.add(headers['retry-after']);
    }
    expect(seconds.size).toBeGreaterThan(1);
  });

  test('nothing in the sources writes such a status past the one hook', () => {
    const sources = filesUnder(['packages/server'], /^packages\/server\/src\/(?!.*\.test\.ts$).*\.ts$/);
    // passes on a whole answer of the application, with the header that the hook wrote
    const relay = 'packages/server/src/surfaces/status-listener.ts';
    const past = /writeHead\((?!20\d\b)|\.statusCode = |HTTP\/1\.1 (429|503)/;
    expect(sources.filter(({ text }) => past.test(text)).map(({ path }) => path)).toEqual([relay]);
  });
});
