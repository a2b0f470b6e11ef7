import { createReceiverPlaces } from '../src/modules/actions/index.ts';
import type { NodeConfig, WorkflowNode } from '../src/modules/workflows/definitions/workflow.ts';
import type { NodeCall, NodeOutcome } from '../src/modules/workflows/nodes/node-kind.ts';
import { createNodeKinds } from '../src/modules/workflows/nodes/node-kinds.ts';
import type { NodesDeps } from '../src/modules/workflows/nodes/nodes.deps.ts';
import { withReadAuthors } from '../src/modules/workflows/nodes/read-authors.ts';
import type { StoredNodeRun, StoredWorkflowRun } from '../src/modules/workflows/runs/workflow-run.ts';
import type { Actor } from '../src/platform/actor.ts';
import type { MessageBroker } from '../src/platform/messages/message-broker.ts';
import { createOutgoing } from '../src/platform/outgoing/outgoing.ts';
import type { Work } from '../src/platform/unit-of-work.ts';
import type { TestApp } from './build-test-app.ts';

export interface CallOptions {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly trigger?: Readonly<Record<string, unknown>>;
  readonly actor?: Partial<Actor>;
  readonly run?: Partial<StoredWorkflowRun>;
  readonly nodeRun?: Partial<StoredNodeRun>;
  /** Beside its config. */
  readonly node?: Partial<WorkflowNode>;
  /** Other nodes of the workflow. */
  readonly others?: readonly WorkflowNode[];
  readonly settle?: (work: Work, outcome: NodeOutcome) => Promise<void>;
}

/** Carries out single nodes over an application, without runs around them. */
export function createNodeWorld(app: TestApp, more: { broker?: MessageBroker; isGuarded?: boolean } = {}) {
  const { organization } = app;
  const outgoing = createOutgoing({ allowsPrivateNetwork: !more.isGuarded });
  const deps: NodesDeps = {
    database: app.database,
    clock: app.clock,
    unitOfWork: app.app.unitOfWork,
    outgoing,
    // calls of the own API are tried with whole workflows
    ownApi: {
      pathOf: () => undefined,
      named: () => Promise.reject(new Error('not here')) as never,
      call: () => Promise.reject(new Error('not here')),
    },
    broker: more.broker,
    mailer: undefined,
    catalog: app.app.loading.catalog,
    secrets: app.app.identity,
    publicUrl: () => 'http://portal.example',
    places: createReceiverPlaces(),
    // nobody listens here
    feed: { announce: () => undefined },
    checkValues: () => [],
    keptDays: 1,
    // runs of actions are tried with whole workflows
    dispatch: undefined as never,
  };
  const checkStart = () => Promise.reject(new Error('not here'));
  const kinds = createNodeKinds({ ...deps, checkStart });
  let count = 0;
  const callOf = (config: NodeConfig, options: CallOptions = {}): NodeCall => {
    count += 1;
    const at = app.clock.now();
    const node: WorkflowNode = { identifier: 'step', ...options.node, config };
    const trigger: WorkflowNode = { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } };
    const actor: Actor = {
      orgId: organization.id,
      model: 'blueprints',
      kind: 'machine',
      id: organization.clientId,
      roles: ['Admin'],
      teamKeys: [],
      datasource: 'portolan',
      origin: 'AUTOMATION',
      ...options.actor,
    };
    const authority = { by: { kind: 'machine', id: organization.clientId }, roles: ['Admin'], teamKeys: [] } as const;
    return withReadAuthors({
      workflow: {
        key: 1,
        id: 'wf_1',
        identifier: 'deploy',
        version: 3,
        versionId: 'wfv_3',
        definition: { identifier: 'deploy', nodes: [trigger, node, ...(options.others ?? [])], connections: [] },
        hash: '',
        authority,
        textAuthors: [],
        createdAt: at,
        createdBy: organization.clientId,
        updatedAt: at,
        updatedBy: organization.clientId,
      },
      run: {
        id: `wfr_${count}`,
        workflowKey: 1,
        workflowIdentifier: 'deploy',
        version: 3,
        status: 'IN_PROGRESS',
        result: null,
        statusLabel: null,
        message: null,
        messageBefore: null,
        atNodeRun: `wfnr_${count}`,
        rev: 1,
        triggerNode: 'form',
        trigger: options.trigger ?? {},
        depth: 0,
        rootId: `wfr_${count}`,
        causedBy: null,
        rerunOf: null,
        parentRun: null,
        parentNodeRun: null,
        itemIndex: null,
        body: null,
        nesting: 0,
        triggerKind: null,
        blueprint: null,
        entity: null,
        cancel: null,
        endsAs: null,
        compensates: null,
        repeatedBy: null,
        cancelledBy: null,
        steps: 1,
        bytes: 0,
        authority,
        textAuthors: [],
        requestedWith: null,
        idempotencyKey: null,
        idempotencyHash: null,
        createdBy: organization.clientId,
        createdByKind: 'machine',
        impersonatedBy: null,
        deadlineAt: at,
        createdAt: at,
        updatedAt: at,
        completedAt: null,
        ...options.run,
      },
      nodeRun: {
        id: `wfnr_${count}`,
        runId: `wfr_${count}`,
        step: 1,
        node: node.identifier,
        attempt: 1,
        type: config.type,
        phase: 'DISPATCHING',
        result: null,
        outlet: null,
        goesOn: false,
        endsRun: null,
        statusLabel: null,
        message: null,
        raw: null,
        output: null,
        input: null,
        links: [],
        tries: 1,
        installationId: null,
        claimedUntil: null,
        acknowledgedAt: null,
        externalRunId: null,
        dueAt: null,
        copiedFrom: null,
        compensates: null,
        isRepeated: false,
        callKey: null,
        responders: null,
        createdAt: at,
        startedAt: at,
        endedAt: null,
        ...options.nodeRun,
      },
      node,
      outputs: { trigger: options.trigger ?? {}, ...options.outputs },
      actor,
      now: at,
      signal: new AbortController().signal,
    });
  };
  const carryOut = async (config: NodeConfig, options: CallOptions = {}) => {
    const call = callOf(config, options);
    const kind = kinds[config.type];
    if (!kind) throw new Error(`no kind of node is called ${config.type}`);
    if (kind.effect === 'none') return { call, outcome: await kind.plan(call) };
    if (kind.effect === 'children') throw new Error('children are begun by a whole run');
    if (kind.effect === 'outside') return { call, outcome: await kind.send(call) };
    let settled: NodeOutcome | undefined;
    const outcome = await kind.carryOut(call, async (work, told) => {
      await options.settle?.(work, told);
      settled = told;
    });
    if (outcome !== 'settled') return { call, outcome };
    if (!settled) throw new Error('it was not settled');
    return { call, outcome: settled };
  };
  return {
    deps,
    callOf,
    carryOut,
    /** What became of the node. */
    outcomeOf: async (config: NodeConfig, options?: CallOptions) => (await carryOut(config, options)).outcome,
    secret: async (secretName: string, secretValue: string) => {
      const stored = await app.request('POST', '/v1/organization/secrets', { body: { secretName, secretValue } });
      if (stored.status >= 300) throw new Error(JSON.stringify(stored.body));
    },
    close: () => outgoing.close(),
  };
}
