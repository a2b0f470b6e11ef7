import { createHmac } from 'node:crypto';
import { memoryBounds } from '@portolan/contract/proposed-note';
import sql from 'sql-template-tag';
import { send } from './assistant-product.ts';
import { type Asked, type Asker, approveTools, type InjectionWorld, patterns } from './injection-world.ts';
import type { ScriptedCall } from './mock-model-server.ts';
import { cutOrder, type Order, type OrderForm } from './obeying-model.ts';

const call = (name: string, args: object = {}): ScriptedCall => ({ name, arguments: { ...args } });
const readService = (identifier: string) => call('get_entity', { blueprint: 'service', identifier });

/** Where an attacker may write. */
export interface Place {
  readonly name: string;
  /** Writes the order where it stands; resolves to the calls that read it. */
  write(world: InjectionWorld, order: Order): Promise<readonly ScriptedCall[]>;
  readonly agent?: string;
  /** The person who asks, in place of the organization's own credentials. */
  readonly asks?: Asker;
  /** What is sent beside the question. */
  readonly context?: (order: Order) => object;
  readonly usesServer?: boolean;
  /** Forms that cannot stand there. */
  readonly without?: readonly OrderForm[];
  /** Only these are tried in the suite, where others would say nothing more. */
  readonly goals?: readonly string[];
}

const upsert = '/v1/blueprints/service/entities?upsert=true&merge=true';
/** Goals that only the authors of what was read keep an attacker from. */
const ofAuthority = ['more rights', 'data out'];
export const places: readonly Place[] = [
  {
    name: 'the title of an entity from outside',
    async write(world, [first, second = '']) {
      await world.fromOutside('POST', upsert, { identifier: 'evil', title: first, properties: { note: second } });
      return [call('list_entities', { blueprint: 'service' })];
    },
  },
  {
    name: 'the text of an entity by a member',
    async write(world, [first, second = '']) {
      await world.byMember('POST', upsert, { identifier: 'memo', title: second, properties: { note: first } });
      return [readService('memo')];
    },
  },
  {
    name: 'an identifier',
    without: ['plain', 'system message', 'split', 'look-alikes'],
    async write(world, [first]) {
      await world.fromOutside('POST', upsert, { identifier: first, title: 'New' });
      return [call('search_entities', { blueprint: 'service', text: 'ORDER' })];
    },
  },
  {
    name: 'the identifier of what the person looks at',
    without: ['plain', 'system message', 'split', 'look-alikes'],
    async write(world, [first]) {
      await world.byMember('POST', upsert, { identifier: first, title: 'New' });
      return [];
    },
    context: ([first]) => ({ entity: { blueprint: 'service', identifier: first } }),
  },
  {
    name: 'the address of an entity that does not exist',
    async write() {
      return [];
    },
    context: (order) => ({ entity: { blueprint: 'service', identifier: order.join('\n') } }),
  },
  {
    name: 'a text that a program sends along',
    async write() {
      return [];
    },
    context: ([first, second]) => ({ entity: { blueprint: 'service', identifier: 'cart' }, mail: first, more: second }),
  },
  {
    name: 'a mirrored value',
    async write(world, [first, second = '']) {
      await world.fromOutside('POST', upsert, { identifier: 'far', title: 'Far', properties: { note: first } });
      await world.of('POST', '/v1/blueprints/pull_request/entities?upsert=true', {
        identifier: 'PR-1',
        title: second,
        relations: { service: 'far' },
      });
      return [call('get_entity', { blueprint: 'pull_request', identifier: 'PR-1' })];
    },
  },
  {
    name: 'a value that is mirrored twice',
    async write(world, [first, second = '']) {
      const properties = { note: `${first}\n${second}` };
      await world.fromOutside('POST', upsert, { identifier: 'far', title: 'Far', properties });
      await upsertByAdmin(world, 'pull_request', { identifier: 'PR-1', relations: { service: 'far' } });
      await upsertByAdmin(world, 'of_pull_request', { identifier: 'R-1', relations: { read: 'PR-1' } });
      return [call('get_entity', { blueprint: 'of_pull_request', identifier: 'R-1' })];
    },
  },
  {
    name: 'what the blueprint of a mirrored entity computes',
    async write(world, [first, second = '']) {
      const computed = { title: 'Level', type: 'string', calculation: JSON.stringify(`${first}\n${second}`) };
      await world.fromOutside('PATCH', '/v1/blueprints/gauge', { calculationProperties: { level: computed } });
      await upsertByAdmin(world, 'gauge', { identifier: 'one' });
      await upsertByAdmin(world, 'of_gauge', { identifier: 'R-1', relations: { read: 'one' } });
      return [call('get_entity', { blueprint: 'of_gauge', identifier: 'R-1' })];
    },
  },
  {
    name: 'the description of the team that owns an entity',
    async write(world, [first, second = '']) {
      const properties = { description: `${first}\n${second}` };
      await world.fromOutside('POST', '/v1/blueprints/_team/entities?upsert=true', { identifier: 'crew', properties });
      await upsertByAdmin(world, 'of_team', { identifier: 'R-1', team: ['crew'] });
      return [call('get_entity', { blueprint: 'of_team', identifier: 'R-1' })];
    },
  },
  {
    name: 'the name of the team that owns an entity',
    without: ['plain', 'system message', 'split', 'look-alikes'],
    async write(world, [first]) {
      await world.fromOutside('POST', '/v1/blueprints/_team/entities?upsert=true', { identifier: first });
      await upsertByAdmin(world, 'owned', { identifier: 'R-1', team: [first] });
      return [call('get_entity', { blueprint: 'owned', identifier: 'R-1' })];
    },
  },
  {
    name: 'the description of a property',
    async write(world, [first, second]) {
      const properties = {
        extra: { type: 'string', description: first },
        more: { type: 'string', description: second ?? 'More' },
      };
      await world.fromOutside('PATCH', '/v1/blueprints/pull_request', { schema: { properties } });
      return [call('get_blueprint', { identifier: 'pull_request' })];
    },
  },
  {
    name: 'a scorecard',
    async write(world, [first, second]) {
      const levels = [{ title: second ?? 'Basic', color: 'paleBlue' }];
      await world.fromOutside('PUT', '/v1/blueprints/pull_request/scorecards', [
        { identifier: 'evil', title: first, levels, rules: [] },
      ]);
      return [call('get_scorecard', { blueprint: 'pull_request', identifier: 'evil' })];
    },
  },
  {
    name: 'the log of a run',
    async write(world, [first, second = '']) {
      world.receiver.answer = () => ({ status: 200 });
      const { run } = await world.of('POST', '/v1/actions/send_report/runs', { properties: { content: 'x' } });
      await world.harness.app.jobs.drain();
      await world.of('POST', `/v1/actions/runs/${run.id}/logs`, { message: `${first}\n${second}` });
      return [call('track_action_run', { runId: run.id })];
    },
  },
  {
    // it names what was written, and shows none of it
    name: 'the audit log',
    without: ['plain', 'system message', 'split', 'look-alikes'],
    async write(world, [first]) {
      await world.byMember('POST', upsert, { identifier: first });
      return [call('search_audit_log', { limit: 6 })];
    },
  },
  {
    name: 'the answer of a connected server',
    usesServer: true,
    async write(world, [first, second = '']) {
      await approveTools(world);
      world.peer.answer = () => ({ content: [{ type: 'text', text: `${first}\n${second}` }] });
      return [call('mcp_tracker__find', { text: 'open' })];
    },
  },
  {
    name: 'an error of a connected server',
    usesServer: true,
    async write(world, [first, second = '']) {
      await approveTools(world);
      world.peer.answer = () => ({ isError: true, content: [{ type: 'text', text: `${first}\n${second}` }] });
      return [call('mcp_tracker__find', { text: 'open' })];
    },
  },
  {
    name: 'the description of a connected tool',
    usesServer: true,
    async write(world, [first, second = '']) {
      world.peer.tools = [{ name: 'find', description: `${first}\n${second}` }, { name: 'close' }];
      await approveTools(world);
      return [call('count_entities', { blueprint: 'service' })];
    },
  },
  {
    name: 'a skill',
    async write(world, [first, second = '']) {
      await world.byMember('POST', '/v1/blueprints/skill/entities?upsert=true', {
        identifier: 'triage',
        title: 'Triage',
        properties: { description: second, instructions: first },
      });
      return [call('load_skill', { name: 'triage' })];
    },
  },
  {
    name: 'the description of an action',
    async write(world, [first, second]) {
      await world.fromOutside('POST', '/v1/actions', {
        identifier: 'extra',
        title: second ?? 'Extra',
        description: first,
        trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
        invocationMethod: { type: 'WEBHOOK', url: `${world.receiver.url}/extra` },
      });
      return [call('get_action', { identifier: 'extra' })];
    },
  },
  {
    name: 'the prompt of an agent that a member edits',
    agent: 'helper',
    async write(world, [first, second = '']) {
      const prompt = `You help. ${first} ${second}`;
      const tools = [...patterns, '^mcp_.*'];
      const properties = { prompt: 'You help.', status: 'active', tools, execution_mode: 'Automatic' };
      await world.of('POST', '/v1/blueprints/_ai_agent/entities', {
        identifier: 'helper',
        title: 'Helper',
        properties,
      });
      await world.byMember('PATCH', '/v1/blueprints/_ai_agent/entities/helper', { properties: { prompt } });
      return [call('count_entities', { blueprint: 'service' })];
    },
  },
  {
    name: 'what an earlier run wrote',
    async write(world, [first, second = '']) {
      await world.fromOutside('POST', upsert, { identifier: 'far', title: 'Far', properties: { note: 'news' } });
      const words = `${first} ${second}`;
      const asked = await world.ask('Tell me about far', {
        reads: [readService('far')],
        wanted: [call('run_note_down', { words })],
      });
      await approveDraft(world, asked);
      return [readService('notes')];
    },
  },
  {
    name: 'a value of a list that a mirror shows',
    goals: ofAuthority,
    async write(world, order) {
      await listWords(world, order);
      return [call('get_entity', { blueprint: 'of_listed', identifier: 'R-1' })];
    },
  },
  {
    name: 'the groups of a figure',
    goals: ofAuthority,
    async write(world, order) {
      await listWords(world, order);
      return ['stage', 'more'].map((property) => call('get_figures', { blueprint: 'listed', by: { property } }));
    },
  },
  {
    name: 'what an action copied from its entity',
    goals: ofAuthority,
    async write(world, [first, second = '']) {
      const properties = { note: `${first}\n${second}` };
      await world.fromOutside('POST', upsert, { identifier: 'far', title: 'Far', properties });
      await world.of('POST', '/v1/actions/copy_note/runs', { entity: 'far', properties: {} });
      await world.harness.app.jobs.drain();
      return [readService('copy')];
    },
  },
  {
    name: 'what an action copied from an entity among its inputs',
    goals: ofAuthority,
    async write(world, [first, second = '']) {
      const properties = { note: `${first}\n${second}` };
      await world.fromOutside('POST', upsert, { identifier: 'far', title: 'Far', properties });
      await world.of('POST', '/v1/actions/copy_input/runs', { properties: { from: 'far' } });
      await world.harness.app.jobs.drain();
      return [readService('copy')];
    },
  },
  {
    name: 'the run of a workflow that a call from outside started',
    goals: ofAuthority,
    async write(world, order) {
      const runId = await callTrigger(world, order);
      return [call('get_workflow_run', { runId })];
    },
  },
  {
    name: 'what such a run wrote',
    goals: ofAuthority,
    async write(world, order) {
      await callTrigger(world, order);
      return [readService('called')];
    },
  },
  {
    name: 'an error that lists choices',
    goals: ofAuthority,
    async write(world, [first, second = '']) {
      const properties = { note: `${first}\n${second}` };
      await world.fromOutside('POST', upsert, { identifier: 'far', title: 'Far', properties });
      return [call('run_pick', { entity: 'far', choice: 'none of them' })];
    },
  },
  {
    name: 'the new name of a blueprint',
    // the others are longer than names
    goals: ['another entity'],
    without: ['plain', 'system message', 'split', 'look-alikes'],
    async write(world, [first]) {
      const { scorecards } = (await world.of('GET', '/v1/scorecards')) as {
        scorecards: { identifier: string; blueprint: string }[];
      };
      const named = scorecards.find(({ identifier }) => identifier === 'of_renamed')?.blueprint;
      if (named !== first) await world.fromOutside('PATCH', `/v1/blueprints/${named}`, { identifier: first });
      return [call('get_scorecard', { blueprint: first, identifier: 'of_renamed' })];
    },
  },
  ...(['administrator', 'member'] as const).map(
    (asks): Place => ({
      name: `notes that the ${asks} who asks was talked into`,
      asks,
      async write(world, order) {
        await writeNotes(world, asks, cutOrder(order, memoryBounds.charactersMax));
        return [call('count_entities', { blueprint: 'service' })];
      },
    }),
  ),
  {
    name: 'a note of an administrator that lacks its end, which stands in the text of a member',
    asks: 'administrator',
    without: ['plain', 'system message', 'look-alikes', 'identifier'],
    async write(world, [first, second = '']) {
      await writeNotes(world, 'administrator', cutOrder([first], memoryBounds.charactersMax));
      const end = second.replace('PART2', 'PART99');
      await world.byMember('POST', upsert, { identifier: 'memo', title: 'Memo', properties: { note: end } });
      return [readService('memo')];
    },
  },
];

const upsertByAdmin = (world: InjectionWorld, blueprint: string, entity: object) =>
  world.of('POST', `/v1/blueprints/${blueprint}/entities?upsert=true&merge=true`, { title: 'Fine', ...entity });

/** The order as words of a blueprint, which an entity of an administrator has. */
async function listWords(world: InjectionWorld, [first, second = 'no more']: Order): Promise<void> {
  const listing = (word: string) => ({ type: 'string', enum: [word] });
  const properties = { stage: listing(first), more: listing(second) };
  await world.fromOutside('PATCH', '/v1/blueprints/listed', { schema: { properties } });
  await upsertByAdmin(world, 'listed', { identifier: 'one', properties: { stage: first, more: second } });
  await upsertByAdmin(world, 'of_listed', { identifier: 'R-1', relations: { read: 'one' } });
}

/** Calls the address of a trigger as a program elsewhere does. */
async function callTrigger(world: InjectionWorld, [first, second = '']: Order): Promise<string> {
  const { address } = (await world.of('GET', '/v1/workflows/called/nodes/hook/address')) as { address: string };
  const payload = JSON.stringify({ text: `${first}\n${second}` });
  const proof = { 'x-signature-256': createHmac('sha256', hookSecret).update(payload).digest('hex') };
  const { pathname } = new URL(address);
  const answer = await send(world.harness.url, undefined, 'POST', pathname, payload, proof);
  const { runIdentifier } = (await answer.json()) as { runIdentifier: string };
  await world.harness.app.jobs.drain();
  return runIdentifier;
}

const hookSecret = 'sesame-open-wide';

/** A workflow that keeps what it is called with. */
async function createCalledWorkflow(world: InjectionWorld): Promise<void> {
  const secretName = 'HOOK_SECRET';
  await world.of('POST', '/v1/organization/secrets', { secretName, secretValue: hookSecret });
  const mapping = { identifier: 'called', properties: { note: '{{ .outputs.trigger.body.text }}' } };
  await world.of('POST', '/v1/workflows', {
    identifier: 'called',
    title: 'Called',
    nodes: [
      { identifier: 'hook', config: { type: 'WEBHOOK_TRIGGER', secretName, signature: 'sha256-hmac' } },
      { identifier: 'note', config: { type: 'UPSERT_ENTITY', blueprintIdentifier: 'service', mapping } },
    ],
    connections: [{ sourceIdentifier: 'hook', targetIdentifier: 'note' }],
  });
}

/** What some of the places need beside the world. */
export async function preparePlaces(world: InjectionWorld): Promise<void> {
  await createAskers(world);
  await createMirrors(world);
  await createCopies(world);
  await createCalledWorkflow(world);
}

/** Actions of administrators that take texts of entities along. */
async function createCopies(world: InjectionWorld): Promise<void> {
  const act = (identifier: string, trigger: object, invocationMethod: object) =>
    world.of('POST', '/v1/actions', {
      identifier,
      title: identifier,
      trigger: { type: 'self-service', ...trigger },
      invocationMethod,
    });
  const copying = (note: string) => ({
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: 'service',
    mapping: { identifier: 'copy', properties: { note } },
  });
  const onService = { operation: 'DAY-2', blueprintIdentifier: 'service' };
  const from = { type: 'string', format: 'entity', blueprint: 'service' };
  const choice = { type: 'string', enum: { jqQuery: '[.entity.properties.note]' } };
  const noInputs = { userInputs: { properties: {} } };
  await act('copy_note', { ...onService, ...noInputs }, copying('{{ .entity.properties.note }}'));
  const asking = { operation: 'CREATE', userInputs: { properties: { from } } };
  await act('copy_input', asking, copying('{{ .inputs.from.properties.note }}'));
  const webhook = { type: 'WEBHOOK', url: `${world.receiver.url}/pick` };
  await act('pick', { ...onService, userInputs: { properties: { choice } } }, webhook);
}

/** Blueprints that show texts of others. */
async function createMirrors(world: InjectionWorld): Promise<void> {
  const schema = { properties: {} };
  await world.of('POST', '/v1/blueprints', { identifier: 'gauge', title: 'Gauge', schema });
  const ownership = { type: 'Direct' };
  await world.of('POST', '/v1/blueprints', { identifier: 'owned', title: 'Owned', schema, ownership });
  const showing = (from: string, path: string, more: object) =>
    world.of('POST', '/v1/blueprints', {
      identifier: `of_${from}`,
      title: 'Showing',
      schema,
      mirrorProperties: { shown: { title: 'Shown', path } },
      ...more,
    });
  const reading = (target: string) => ({
    relations: { read: { title: 'Read', target, many: false, required: false } },
  });
  const listed = { properties: { stage: { type: 'string' }, more: { type: 'string' } } };
  await world.of('POST', '/v1/blueprints', { identifier: 'listed', title: 'Listed', schema: listed });
  await world.of('POST', '/v1/blueprints', { identifier: 'renamed', title: 'Renamed', schema });
  const levels = [{ title: 'Basic', color: 'paleBlue' }];
  const scorecard = { identifier: 'of_renamed', title: 'Fine', levels, rules: [] };
  await world.of('PUT', '/v1/blueprints/renamed/scorecards', [scorecard]);
  await showing('listed', 'read.stage', {
    ...reading('listed'),
    mirrorProperties: { shown: { title: 'Shown', path: 'read.stage' }, more: { title: 'More', path: 'read.more' } },
  });
  await showing('pull_request', 'read.serviceNote', reading('pull_request'));
  await showing('gauge', 'read.level', reading('gauge'));
  await showing('team', '$team.description', { ownership });
}

async function byAsker(world: InjectionWorld, asker: Asker, ...[method, path, body]: [string, string, object]) {
  const answer = await send(world.harness.url, world.askers.get(asker), method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

/** People who have notes shown to the model. */
async function createAskers(world: InjectionWorld): Promise<void> {
  await world.of('PUT', '/v1/memory/settings', { memoryEnabled: true });
  await world.of('PATCH', '/v1/blueprints/_ai_invocations/permissions', {
    entities: { register: { roles: ['Member'] } },
  });
  for (const asker of ['administrator', 'member'] as const) {
    const identifier = `${asker}@acme.dev`;
    const properties = { status: 'Active', port_role: asker === 'member' ? 'Member' : 'Admin' };
    await world.of('POST', '/v1/blueprints/_user/entities', { identifier, title: asker, properties });
    const user = await world.harness.database.first<{ key: string }>(
      sql`select key from users where org_id = ${world.organization.id} and identifier = ${identifier}`,
    );
    world.askers.set(asker, await world.organization.member(user?.key));
    await byAsker(world, asker, 'PUT', '/v1/memory/own', { isOn: true });
  }
}

async function writeNotes(world: InjectionWorld, asker: Asker, contents: readonly string[]): Promise<void> {
  await byAsker(world, asker, 'DELETE', '/v1/memory', { deleteAll: true });
  for (const content of contents) {
    await byAsker(world, asker, 'POST', '/v1/memory', { content });
  }
}

async function approveDraft(world: InjectionWorld, { results }: Asked): Promise<void> {
  const { runId } = results.find(({ mode }) => mode === 'draft') ?? {};
  if (runId === undefined) throw new Error('There is no draft to approve.');
  const { run } = await world.of('GET', `/v1/actions/runs/${runId}`);
  await world.of('PATCH', `/v1/actions/runs/${runId}/approval`, {
    status: 'APPROVE',
    inputsHash: run.draft.inputsHash,
  });
  await world.harness.app.jobs.drain();
}
