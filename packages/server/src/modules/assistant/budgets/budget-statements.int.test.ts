import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { noon, plenty } from '../../../../test/ledger-world.ts';
import { type LoggedEngine, logStatements } from '../../../../test/query-log.ts';
import { createDatabase, type Database } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import { createUsageLedger, type UsageLedger } from '../usage-ledger.ts';
import { putBudgetRow } from './budget.store.ts';

let opened: TestDatabase;
let logged: LoggedEngine;
let database: Database;
let ledger: UsageLedger;
let orgId = '';
beforeAll(async () => {
  opened = await createTestDatabase();
  logged = logStatements(opened.engine);
  database = createDatabase(logged.engine, opened.options);
  ledger = createUsageLedger({ database, log: { warn: () => undefined } });
});
afterAll(async () => {
  await ledger.close();
  await opened.drop();
});
let count = 0;
beforeEach(async () => {
  count += 1;
  orgId = `org-${count}`;
  await database.transaction((tx) =>
    tx.execute(sql`
      insert into organizations (id, name, model, plan, quotas, cutover, created_at, updated_at)
      values (${orgId}, ${orgId}, 'blueprints', 'enterprise', ${json(plenty)}, '{}', ${noon}, ${noon})`),
  );
});

const limit = (who: string, requests: number) =>
  database.transaction((tx) =>
    putBudgetRow(
      tx,
      who,
      {
        ...{ scope: 'organization', subject: 'all', period: 'month', action: 'stop', warnAt: 0.8 },
        countedSince: '2026-03-01',
        limits: { requests, tokens: null, usd: null },
      },
      { by: 'admin', at: noon },
    ),
  );

/** Statements of a question that is counted and accepted, the beginnings and ends of its two transactions included. */
async function accept(): Promise<{ readonly count: number }> {
  const before = logged.count();
  const payer = { userId: 'ada@example.com', teamKeys: ['geo'], agent: null };
  const reservation = await ledger.reserve(orgId, noon, { invocation: `run-${orgId}`, payer });
  await database.transaction((tx) => ledger.claim(tx, reservation));
  return { count: logged.count() - before };
}

/**
 * Five to take the request (row of the month, its lock, organization, count, commit) after a beginning that is a script,
 * and three to claim it.
 */
const statementsBefore = 8;

test('a question of an organization without budgets sends none for them', async () => {
  await database.transaction((tx) =>
    tx.execute(sql`
      insert into organizations (id, name, model, plan, quotas, cutover, created_at, updated_at)
      values (${`${orgId}-other`}, 'Other', 'blueprints', 'enterprise', ${json(plenty)}, '{}', ${noon}, ${noon})`),
  );
  await limit(`${orgId}-other`, 5);
  const known = logged.statements.size;
  expect(await accept()).toEqual({ count: statementsBefore });
  const sent = [...logged.statements].slice(known).join('\n');
  expect(sent).not.toMatch(/ai_budget_days|ai_charges/);
});

test('one with a budget sends two more', async () => {
  await limit(orgId, 5);
  expect(await accept()).toEqual({ count: statementsBefore + 2 });
});
