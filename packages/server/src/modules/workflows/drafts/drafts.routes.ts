import * as contract from '@portolan/contract/workflow-drafts';
import { type Route, route } from '../../../platform/http/route.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { decideDraft } from './decide-draft.ts';
import { getDraft, listDrafts, presentDraft } from './read-drafts.ts';

export function draftRoutes(deps: DefinitionsDeps): Route[] {
  return [
    route(contract.listWorkflowDrafts, async ({ query }, { actor }) => ({
      drafts: await listDrafts(deps, actor, { limit: query.limit, isForMe: query.waiting_for_me ?? false }),
    })),
    route(contract.getWorkflowDraft, async ({ params }, { actor }) => ({
      draft: await getDraft(deps, actor, params.run_id),
    })),
    route(contract.decideWorkflowDraft, async ({ params, body }, { actor }) => ({
      draft: await presentDraft(deps, actor, await decideDraft(deps, actor, params.run_id, body)),
    })),
  ];
}
