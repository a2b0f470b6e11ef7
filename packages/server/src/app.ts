import type { FastifyInstance } from 'fastify';
import { accountDomains } from './account-domains.ts';
import type { AppPorts } from './app-ports.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { loadDemo, visitorsTeam } from './demo/load-demo.ts';
import { joinEffects } from './join-effects.ts';
import { teamNames } from './modules/accounts/index.ts';
import {
  assertRun,
  createActionListener,
  createActions,
  findCarriedAuthors,
  listActionIdentifiers,
  listRunsOnEntity,
  listWebhookAddresses,
  visibleRuns,
} from './modules/actions/index.ts';
import { type AiOptions, createAssistant, type LoopLimits, type ModelSettings } from './modules/assistant/index.ts';
import {
  automationInterest,
  changelogInterest,
  createAutomations,
  createReactionWaker,
} from './modules/automations/index.ts';
import type { BackupPlan } from './modules/backups/index.ts';
import { createEntityListener } from './modules/blueprint-changes/index.ts';
import {
  type BlueprintsDeps,
  createBlueprints,
  createPropertyChecker,
  createValueChecker,
} from './modules/blueprints/index.ts';
import { createChecklist } from './modules/checklist/index.ts';
import { createConnectedApps } from './modules/connected-apps/index.ts';
import { createConnectors } from './modules/connectors/index.ts';
import { createDemoOrganizations, type DemoOrganizations } from './modules/demo-organization/index.ts';
import { type CatalogDeps, visibleChanges, visibleRecords } from './modules/entities/index.ts';
import { createFavorites } from './modules/favorites/index.ts';
import { createIdentity, type Identity } from './modules/identity/index.ts';
import {
  createIntegrations,
  guardDeletions,
  isWeighingStale,
  limitByMapping,
  logForSource,
} from './modules/integrations/index.ts';
import { createFailureRecorder, createJournal, createLiveFeed, createRecordWriter } from './modules/journal/index.ts';
import { createMigrations, followOldRelations } from './modules/migrations/index.ts';
import { createPacks } from './modules/packs/index.ts';
import { createPageListener, createPages, listAgentWidgets, switchAgentWidgets } from './modules/pages/index.ts';
import { createPeople, type People } from './modules/people/index.ts';
import { createSignIn, type SignIn } from './modules/sign-in/index.ts';
import { createCatalogue, createSources, installRoutes, type SourceType } from './modules/sources/index.ts';
import {
  createWorkflows,
  noticeChangesSince,
  visibleWorkflowRuns,
  workflowInterest,
  workflowWaitInterest,
  workflowWaitWaker,
  workflowWaker,
} from './modules/workflows/index.ts';
import { createOperations } from './operations.ts';
import { operatorGate } from './operator-gate.ts';
import { createAdmission } from './platform/admission/admission.ts';
import { admissionMetrics } from './platform/admission/admission-metrics.ts';
import { admissionLimits } from './platform/admission/limits.ts';
import { watchLoopLag } from './platform/admission/loop-lag.ts';
import { takeBulkPlace } from './platform/admission/take-bulk-place.ts';
import { createTableStatistics } from './platform/db/table-statistics.ts';
import { drain } from './platform/http/drain.ts';
import { createOwnApi } from './platform/http/own-api.ts';
import { createHttpServer } from './platform/http/server.ts';
import { createJobs, type Jobs } from './platform/jobs/jobs.ts';
import { compilePattern } from './platform/safe-pattern.ts';
import { derivedKey } from './platform/secrets/derived-key.ts';
import { traceDatabase, traceOutgoing } from './platform/telemetry/trace-ports.ts';
import { createToolRegistry, type ToolRegistry } from './platform/tools/registry.ts';
import { createToolSet, type ToolSource } from './platform/tools/tool-source.ts';
import { createUnitOfWork, type UnitOfWork } from './platform/unit-of-work.ts';
import { seedOrganization } from './seed-organization.ts';
import { finishMs, stopApp } from './stop-app.ts';
import { createDocs } from './surfaces/docs.ts';
import { manualTools } from './surfaces/manual.tools.ts';
import { createMcp } from './surfaces/mcp.ts';
import { offeredTools } from './surfaces/mcp-tools.ts';
import { createPortal, hasPortal } from './surfaces/portal.ts';
import { createPortalBootstrap } from './surfaces/portal-bootstrap.ts';
import { createStatus, type Status } from './surfaces/status.ts';

export type { AppPorts } from './app-ports.ts';

export interface AppOptions {
  readonly masterKey: string;
  readonly operatorToken: string;
  readonly model: ModelSettings;
  /** Everything else about models and runs of the assistant. */
  readonly ai?: AiOptions;
  /** Limits of a run that differ from the defaults. */
  readonly runLimits?: Partial<LoopLimits>;
  /** Days that the audit log is kept; 365 unless told. */
  readonly auditDays?: number;
  /** Days that runs of actions are kept after they ended; 365 unless told. */
  readonly runDays?: number;
  /** Days in which a data migration, and that of users and teams, can be undone; 7 unless told. */
  readonly undoDays?: number;
  /** When it takes backups by itself; never, unless told. */
  readonly backups?: BackupPlan | undefined;
  /** The folder of the embedded engine, where it is used. */
  readonly dataDir?: string | undefined;
  /** How long replicas are given to notice that the model of an organization is about to change. */
  readonly announceMs?: number;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is believed; none unless told. */
  readonly trustedProxies?: readonly string[];
  /** The address people use; links are made from it. */
  readonly publicUrl: () => string;
  /** Told of every secret that is opened, so that logs can be masked. */
  readonly onSecretOpened?: (value: string) => void;
  /** Kinds of sources beside those that come with the product. */
  readonly sourceTypes?: readonly SourceType[];
  /** Where the build put the portal; without it, or before it was built, there is the API alone. */
  readonly portalFolder?: string;
  /** Where the files about clients are that come with the product; without it, the catalogue of sources has none. */
  readonly sourceTypesFolder?: string;
  /** Where the documentation is that comes with the product; without it, nobody can search in it. */
  readonly docsFolder?: string;
  /** Where the demo data is that comes with the product; without it, there is no demo to be made. */
  readonly demoFolder?: string;
  /** Where the starter models are that come with the product; without it, there are none. */
  readonly packsFolder?: string;
}

/** The application, not listening yet. */
export interface App {
  readonly http: FastifyInstance;
  readonly identity: Identity;
  readonly catalog: Catalog;
  readonly people: People;
  readonly signIn: SignIn;
  readonly demoOrganizations: Pick<DemoOrganizations, 'create'>;
  readonly jobs: Jobs;
  /** The tools that everybody has. */
  readonly tools: ToolRegistry;
  readonly describeMetrics: Status['describe'];
  readonly unitOfWork: UnitOfWork;
  /** What loading data in bulk, below the API, needs. */
  readonly loading: { readonly blueprints: BlueprintsDeps; readonly catalog: CatalogDeps };
  /** Begins background work; `isAlone` says that no other process can use the database. */
  start(options: { readonly role: 'all' | 'web' | 'worker'; readonly isAlone: boolean }): Promise<void>;
  /** Ends runs whose process died; a schedule calls it. */
  sweep(backAt?: Date): Promise<number>;
  /**
   * Says that requests should go elsewhere, takes no more jobs, and goes on serving requests for so long, until nobody
   * sends any: the first part of a stop.
   */
  drain(milliseconds: number): Promise<void>;
  /** Sends requests and readers of changes elsewhere and takes no more jobs, until it is taken back; nothing is stopped. */
  setDraining(isDraining: boolean): void;
  /** Ends background work and streams; what was begun may go on for so long, six seconds unless told. */
  close(forMs?: number): Promise<void>;
}

/** What a token stands for is looked up again within a second, by whichever replica. */
const announceMs = 1_500;

/** The composition root: plain calls in the order of dependency. */
export function buildApp(options: AppOptions, { clock, log, broker, mailer, tracing, ...ports }: AppPorts): App {
  const database = traceDatabase(ports.database, tracing);
  const outgoing = traceOutgoing(ports.outgoing, tracing);
  const stopping = new AbortController();
  const loop = watchLoopLag();
  const admission = createAdmission(admissionLimits[database.engine.kind], undefined, loop.lagMs);
  database.engine.presence.onChange(admission.hold);
  const jobs = createJobs({ database, clock, log, admission, tracing });
  const feed = createLiveFeed({ database, log });
  const writeRecords = createRecordWriter({
    interests: [
      automationInterest,
      workflowInterest,
      workflowWaitInterest,
      changelogInterest({ hasBroker: broker !== undefined }),
    ],
    tell: feed.tell,
    wake: [createReactionWaker(jobs), workflowWaker(jobs), workflowWaitWaker(jobs)],
  });
  const statistics = createTableStatistics({ database, log });
  const [noteRecords, giveWay] = [statistics.note, admission.giveWay];
  const unitOfWork = createUnitOfWork({ database, jobs, clock, writeRecords, noteRecords, giveWay });
  const identity = createIdentity({
    database,
    unitOfWork,
    clock,
    masterKey: Buffer.from(options.masterKey, 'base64'),
    seed: seedOrganization,
    actionScopes: (actor) => actions.scopesOf(actor),
    milestonesOf: (orgId) => checklist.milestonesOf(orgId),
    followCutover: (work, move) => assistant.followCutover(work, move),
    onSecretOpened: options.onSecretOpened,
    log,
    limitByMapping,
  });
  const listener = { ...createEntityListener(), ...createActionListener() };
  const pageListener = createPageListener();
  const blueprints = createBlueprints({ database, unitOfWork, listener, pageListener, compilePattern });
  const checkProperties = createPropertyChecker(compilePattern);
  const recordFailures = createFailureRecorder({ database, clock });
  const catalog = createCatalog({
    database,
    unitOfWork,
    clock,
    checkProperties,
    listener,
    recordFailures,
    guardDeletions,
    isWeighingStale,
    logForSource,
    assertRun,
    findCarriedAuthors,
    rewriteBodies: followOldRelations,
    log,
    undoDays: options.undoDays ?? 7,
    historyDays: options.auditDays ?? 365,
    mailer,
    publicUrl: options.publicUrl,
    runsOnEntity: (actor, asked) => listRunsOnEntity(database, actor, asked),
    accountDomains: () => accountDomains(options.publicUrl()),
  });
  const people = createPeople({ database, unitOfWork, catalog: catalog.deps });
  const signIn = createSignIn({
    database,
    unitOfWork,
    clock,
    people,
    outgoing,
    mailer,
    visitorsTeam,
    masterKey: Buffer.from(options.masterKey, 'base64'),
    publicUrl: options.publicUrl,
    log,
    authenticate: identity.authenticate,
  });
  const connectedApps = createConnectedApps({
    database,
    unitOfWork,
    clock,
    outgoing,
    masterKey: Buffer.from(options.masterKey, 'base64'),
    publicUrl: options.publicUrl,
    toolsOf: (actor) => offeredTools(toolSet, { ...actor, origin: 'MCP' }),
  });
  const journal = createJournal({
    database,
    clock,
    feed,
    visibleRecords: (actor) => visibleRecords({ database, clock }, actor),
    visibleChanges: (actor, changes) => visibleChanges({ database, clock }, actor, changes),
    visibleRuns: [visibleRuns, visibleWorkflowRuns].map((visible) => (actor, ids) => visible(database, actor, ids)),
    announcedSince: (actor, since) => noticeChangesSince(database, actor, since),
    teamNames: (actor, references) => teamNames(database, actor.orgId, actor.model, references),
    keptDays: options.auditDays ?? 365,
  });
  const ownApi = createOwnApi(options.publicUrl);
  const actions = createActions({
    database,
    clock,
    unitOfWork,
    outgoing,
    ownApi: ownApi.api,
    broker,
    mailer,
    catalog: catalog.deps,
    checkValues: createValueChecker(compilePattern),
    secrets: identity,
    keptDays: options.runDays ?? 365,
    publicUrl: options.publicUrl,
  });
  const automations = createAutomations({ ...actions.deps, log });
  const integrations = createIntegrations({
    database,
    clock,
    unitOfWork,
    outgoing,
    catalog: catalog.deps,
    secrets: identity,
    publicUrl: options.publicUrl,
  });
  const workflows = createWorkflows({ ...actions.deps, jobs, log, feed });
  const saved = createSources(
    {
      database,
      clock,
      unitOfWork,
      outgoing,
      catalog: catalog.deps,
      secrets: identity,
      publicUrl: options.publicUrl,
      takePlace: (orgId) => takeBulkPlace(admission, orgId),
      blueprints: blueprints.deps,
    },
    options.sourceTypes,
  );
  const catalogue = createCatalogue(options.sourceTypesFolder, [...saved.deps.types.values()]);
  const installs = installRoutes({
    database,
    clock,
    unitOfWork,
    catalogue,
    blueprints: blueprints.deps,
    catalog: catalog.deps,
    identity,
    publicUrl: options.publicUrl,
  });
  const pages = createPages({ database, unitOfWork });
  const favorites = createFavorites({ database, clock, unitOfWork });
  const checklist = createChecklist({ database, unitOfWork, publicUrl: options.publicUrl });
  const packs = createPacks({
    database,
    unitOfWork,
    blueprints: blueprints.deps,
    catalog: catalog.deps,
    folder: options.packsFolder,
  });
  const { demoFolder } = options;
  const loading = { blueprints: blueprints.deps, catalog: catalog.deps };
  const demoOrganizations = createDemoOrganizations({
    database,
    clock,
    unitOfWork,
    identity,
    fill:
      demoFolder === undefined
        ? undefined
        : (work) => loadDemo(loading, work, { folder: demoFolder, publicUrl: options.publicUrl() }),
  });
  const tools = createToolRegistry([
    ...journal.tools,
    ...identity.tools,
    ...blueprints.tools,
    ...catalog.tools,
    ...people.tools,
    ...actions.tools,
    ...automations.tools,
    ...integrations.tools,
    ...workflows.tools,
    ...saved.tools(catalogue),
    ...pages.tools,
    ...manualTools(options.docsFolder),
  ]);
  const connectors = createConnectors({ database, unitOfWork, clock, outgoing, secrets: identity, version: '0.1.0' });
  const sources: ToolSource[] = [actions.toolSource, workflows.toolSource, connectors.source];
  const toolSet = createToolSet(tools, sources, (problem) => log.warn({ problem }, 'a tool is not offered'));
  const assistant = createAssistant({
    database,
    unitOfWork,
    clock,
    log,
    catalog: catalog.deps,
    tools: toolSet,
    effects: joinEffects(actions.effects, workflows.effects, journal.recordsOfRun),
    findSource: saved.findTrustable,
    blueprints: blueprints.deps,
    surroundings: { listAgentWidgets, switchAgentWidgets, listWebhookAddresses, listActionIdentifiers },
    model: options.model,
    ...options.ai,
    secretValue: identity.secretValue,
    fetch: outgoing.fetch,
    ...(options.runLimits ? { limits: options.runLimits } : {}),
  });
  const migrations = createMigrations({
    database,
    clock,
    unitOfWork,
    catalog: catalog.deps,
    blueprints: blueprints.deps,
    integrations: integrations.deps,
    pageListener,
    undoDays: options.undoDays ?? 7,
    announceMs: options.announceMs ?? announceMs,
  });
  const operations = createOperations({ database, clock, log, backups: options.backups, dataDir: options.dataDir });
  jobs.register([
    ...journal.jobs,
    ...operations.jobs,
    ...catalog.jobs,
    ...signIn.jobs,
    ...connectedApps.jobs,
    ...actions.jobs,
    ...automations.jobs,
    ...integrations.jobs,
    ...workflows.jobs,
    ...checklist.jobs,
    ...demoOrganizations.jobs,
    ...saved.jobs,
    ...assistant.jobs,
    ...migrations.jobs,
  ]);
  const status = createStatus(database.engine.presence, undefined, database.engine.standbys);
  const portal =
    options.portalFolder !== undefined && hasPortal(options.portalFolder)
      ? [createPortal(options.portalFolder, options.publicUrl)]
      : [];
  status.add(assistant, checklist, feed, operations, jobs, database.engine, {
    metrics: admissionMetrics(admission),
  });
  const http = createHttpServer({
    log,
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
    admit: { admission, isOwn: ownApi.isOwn, inClass: database.engine.inClass },
    standbys: database.engine.standbys,
    tracing,
    isStopping: status.isStopping,
    gate: ownApi.guard({
      authenticate: identity.authenticate,
      authenticateSession: signIn.authenticateSession,
      authenticateOperator: operatorGate(options.operatorToken),
    }),
    routes: [
      ...identity.routes,
      ...blueprints.routes,
      ...catalog.routes,
      ...people.routes,
      ...signIn.routes,
      ...connectedApps.routes,
      ...journal.routes,
      ...actions.routes,
      ...automations.routes,
      ...integrations.routes,
      ...workflows.routes,
      ...saved.routes,
      ...installs,
      ...pages.routes,
      ...favorites.routes,
      ...packs.routes,
      ...checklist.routes,
      ...demoOrganizations.routes,
      ...operations.routes,
      ...connectors.routes,
      ...assistant.routes,
      ...migrations.routes,
      ...createPortalBootstrap(ownApi.api),
    ],
    surfaces: [
      status.serve,
      signIn.surface,
      connectedApps.surface,
      createDocs({ publicUrl: options.publicUrl, hasPortal: portal.length > 0 }),
      createMcp({
        tools: toolSet,
        prompts: catalog.prompts,
        authenticate: identity.authenticate,
        apps: connectedApps,
        stateKey: derivedKey(options.masterKey, 'portolan mcp states'),
        publicUrl: options.publicUrl,
      }),
      ...portal,
    ],
  });
  ownApi.bind(http);
  return {
    http,
    identity,
    catalog,
    people,
    signIn,
    jobs,
    tools,
    describeMetrics: status.describe,
    unitOfWork,
    loading,
    demoOrganizations,
    start: async ({ role, isAlone }) => {
      database.engine.presence.start();
      await assistant.start({ isAlone });
      identity.start();
      if (role !== 'web') await jobs.start();
    },
    sweep: assistant.sweep,
    drain: async (milliseconds) => {
      status.stopServing();
      jobs.pause();
      await drain(http.server, milliseconds, stopping.signal);
    },
    setDraining: (isDraining) => {
      status.setDraining(isDraining);
      if (isDraining) jobs.pause();
      // a stop that has begun goes on
      else if (!status.isStopping()) jobs.resume();
      feed.setDraining(isDraining);
    },
    close: async (forMs = finishMs) => {
      status.stopServing();
      stopping.abort();
      const { presence } = database.engine;
      const last = [loop, statistics, identity, catalog.uses, automations];
      await stopApp({ http, admission, presence, feed, assistant, jobs, last }, forMs);
    },
  };
}
