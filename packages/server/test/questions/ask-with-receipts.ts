import type { ReceiptRecord, Receipts } from '@portolan/contract/receipts';
import sql from 'sql-template-tag';
import type { TestApp, TestOrganization } from '../build-test-app.ts';
import type { ScriptedCall } from '../mock-model-server.ts';

export interface ReceiptedAnswer {
  readonly message: string;
  readonly receipts: Receipts | undefined;
  /** What was asked of tools, in order. */
  readonly calls: readonly ScriptedCall[];
}

/** The answer of the assistant, over the API like anybody's, with what backs it. */
export async function askWithReceipts(
  test: TestApp,
  { id: orgId, request }: TestOrganization,
  userPrompt: string,
): Promise<ReceiptedAnswer> {
  const headers = { prefer: 'respond-async' };
  const accepted = await request('POST', '/v1/ai/invoke', { body: { userPrompt }, headers });
  const { identifier } = accepted.body.invocation;
  for (;;) {
    const { result } = (await request('GET', `/v1/ai/invoke/${identifier}`)).body;
    if (result.status === 'In Progress') {
      await new Promise((resolve) => setTimeout(resolve, 2));
      continue;
    }
    const read = await request('GET', `/v1/ai/invoke/${identifier}/receipts`);
    const calls = await callsOf(test, orgId, identifier);
    const receipts = read.status === 200 ? read.body.receipts : undefined;
    return { message: String(result.message), receipts, calls };
  }
}

/** As they stand in its stream, where long arguments come in pieces. */
async function callsOf({ database }: TestApp, orgId: string, id: string): Promise<ScriptedCall[]> {
  const rows = await database.rows<{ events: [number, string, { id: string; name?: string; arguments: string }][] }>(
    sql`select events from invocation_events where org_id = ${orgId} and invocation_id = ${id} order by first_sequence`,
  );
  const calls = new Map<string, { name: string; text: string }>();
  for (const [, event, data] of rows.flatMap(({ events }) => events)) {
    if (event !== 'tool_call') continue;
    const before = calls.get(data.id) ?? { name: data.name ?? '', text: '' };
    calls.set(data.id, { name: before.name, text: before.text + data.arguments });
  }
  return [...calls.values()].map(({ name, text }) => ({ name, arguments: JSON.parse(text) }));
}

/** All that an entity says, as texts, read without search and without the assistant. */
export function createLookup({ request }: TestOrganization) {
  const known = new Map<string, Promise<ReadonlySet<string> | undefined>>();
  const look = async (blueprint: string, identifier: string): Promise<ReadonlySet<string> | undefined> => {
    const path = `/v1/blueprints/${blueprint}/entities/${encodeURIComponent(identifier)}`;
    const { status, body } = await request('GET', path);
    return status === 200 ? new Set(textsIn(body.entity)) : undefined;
  };
  /** Undefined for a record that does not exist, and for figures and answers, which are no entities. */
  return (record: Pick<ReceiptRecord, 'kind' | 'blueprint' | 'identifier'>) => {
    const blueprint = record.kind === 'person' ? '_user' : record.kind === 'team' ? '_team' : record.blueprint;
    if (blueprint === undefined || record.identifier === undefined) return Promise.resolve(undefined);
    const key = `${blueprint} ${record.identifier}`;
    const found = known.get(key) ?? look(blueprint, record.identifier);
    known.set(key, found);
    return found;
  };
}

function textsIn(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(textsIn);
  return [String(value).toLowerCase()];
}
