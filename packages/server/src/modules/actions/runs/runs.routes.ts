import * as actionForms from '@portolan/contract/action-forms';
import * as contract from '@portolan/contract/action-runs';
import type { Actor } from '../../../platform/actor.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { acknowledgeRun, acknowledgeRuns, claimRuns } from './claim-runs.ts';
import { decideRun } from './decide-run.ts';
import { editDraft } from './edit-draft.ts';
import { evaluateForm } from './evaluate-form.ts';
import { listAffectedEntities } from './list-affected-entities.ts';
import { listApprovers } from './list-approvers.ts';
import { mayDecide, readDecision } from './read-decision.ts';
import { getRun, listRuns } from './read-runs.ts';
import { addRunLog, addRunResponse, reportRun } from './report-run.ts';
import { rerunRun } from './rerun-run.ts';
import { listApprovals, listRunLogRows, type StoredRunLog } from './run.store.ts';
import { presentRun, type StoredRun } from './run.ts';
import { type StartDeps, startRun } from './start-run.ts';
import { testForm } from './test-form.ts';

export function runRoutes(deps: StartDeps): Route[] {
  const { database } = deps;
  const shown = async (actor: Actor, run: StoredRun, version: string | undefined) => ({
    run: presentRun(run, version, await listApprovals(database, actor.orgId, run.id)),
  });
  return [
    route(contract.startRun, async ({ params, query, body }, { actor }) => {
      const draft = query.draft ? { draft: {} } : {};
      const run = await startRun(deps, actor, params.action_identifier, body, { runAs: query.run_as, ...draft });
      return shown(actor, run, query.version);
    }),
    route(contract.listRuns, async ({ query }, { actor }) => {
      const { decidable, ...filters } = query;
      const found = decidable
        ? await listRuns(database, actor, { ...filters, isWaiting: true }, (run, action) =>
            mayDecide(deps, actor, run, action),
          )
        : await listRuns(database, actor, filters);
      const runs = found.map((run) => presentRun(run, query.version));
      const left = new Set(query.exclude ?? []);
      return { runs: runs.map((run) => without(run, left)) };
    }),
    route(contract.claimRuns, async ({ body }, { actor }) => ({
      runs: (await claimRuns(deps, actor, body)).map((run) => presentRun(run, 'v2')),
    })),
    route(contract.acknowledgeRun, async ({ body }, { actor }) => {
      if (body.runIds) return { ackedCount: await acknowledgeRuns(deps, actor, body.runIds) };
      await acknowledgeRun(deps, actor, body.runId ?? '');
      return {};
    }),
    route(contract.getRun, async ({ params, query }, { actor }) =>
      shown(actor, await getRun(database, actor, params.run_id), query.version),
    ),
    route(contract.reportRun, async ({ params, query, body }, { actor }) =>
      shown(actor, await reportRun(deps, actor, params.run_id, body), query.version),
    ),
    route(contract.rerunRun, async ({ params, query }, { actor }) =>
      shown(actor, await rerunRun(deps, actor, params.run_id), query.version),
    ),
    route(contract.listAffectedEntities, async ({ params }, { actor }) => ({
      entities: (await listAffectedEntities(deps, actor, params.run_id)).map(({ at, ...entity }) => ({
        ...entity,
        at: at.toISOString(),
      })),
    })),
    route(actionForms.evaluateForm, async ({ params, body }, { actor }) => ({
      form: await evaluateForm(deps, actor, params.action_identifier, body),
    })),
    route(actionForms.testForm, async ({ body }, { actor }) => ({ test: await testForm(deps, actor, body) })),
    ...decisionRoutes(deps, shown),
    ...logRoutes(deps),
    route(contract.addRunResponse, async ({ params, query, body }, { actor }) =>
      shown(actor, await addRunResponse(deps, actor, params.run_id, body.response), query.version),
    ),
  ];
}

type Show = (actor: Actor, run: StoredRun, version: string | undefined) => Promise<{ run: contract.ActionRun }>;

function decisionRoutes(deps: StartDeps, shown: Show): Route[] {
  return [
    route(contract.decideRun, async ({ params, query, body }, { actor }) =>
      shown(actor, await decideRun(deps, actor, params.run_id, body), query.version),
    ),
    route(contract.editDraft, async ({ params, query, body }, { actor }) =>
      shown(actor, await editDraft(deps, actor, params.run_id, body), query.version),
    ),
    route(actionForms.getRunDecision, async ({ params }, { actor }) => ({
      decision: await readDecision(deps, actor, params.run_id),
    })),
    route(contract.listApprovers, async ({ params, query }, { actor }) => ({
      approvers: await listApprovers(deps, actor, params.run_id, query.include_pending_approvers),
    })),
  ];
}

function logRoutes(deps: StartDeps): Route[] {
  const { database } = deps;
  return [
    route(contract.addRunLog, async ({ params, body }, { actor }) => ({
      runLog: presentLog(await addRunLog(deps, actor, params.run_id, body)),
    })),
    route(contract.listRunLogs, async ({ params, query }, { actor }) => {
      const run = await getRun(database, actor, params.run_id);
      return { runLogs: (await listRunLogRows(database, actor.orgId, run.id, query)).map(presentLog) };
    }),
  ];
}

function presentLog({ createdAt, ...log }: StoredRunLog): contract.ActionRunLog {
  return { ...log, createdAt: createdAt.toISOString() };
}

function without(run: contract.ActionRun, left: ReadonlySet<string>): Partial<contract.ActionRun> {
  return Object.fromEntries(Object.entries(run).filter(([key]) => !left.has(key)));
}
