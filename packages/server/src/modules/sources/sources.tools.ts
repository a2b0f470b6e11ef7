import { z } from 'zod';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { assertMayRead } from '../integrations/index.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { presentSync } from './sources/present-source.ts';
import { getStoredSource } from './sources/read-sources.ts';
import { getSync, listSyncChanges, listSyncProblems } from './sources/read-syncs.ts';
import { checkSource } from './syncs/check-source.ts';
import { type StartDeps, startSync } from './syncs/start-sync.ts';

const source = z.string().min(1).max(100).describe('Identifier of the source');
/** Small enough for a reader with little memory. */
const limit = 50;
const shared = { effect: 'read', audience: 'builder' } as const;

/** What an agent may do with sources: look, try and plan. It gives no secrets and gets none. */
export function sourceTools(deps: StartDeps, catalogue: Catalogue): ToolDeclaration[] {
  return [typesTool(catalogue), checkTool(deps), planTool(deps)];
}

function typesTool(catalogue: Catalogue): ToolDeclaration {
  return tool({
    ...shared,
    name: 'list_source_types',
    title: 'List types of sources',
    description:
      'Lists what can be added as a source of data, each with what it brings, what it needs and the blueprints it writes. Type `native` is read by the platform itself, `install` by a client that runs elsewhere.',
    scope: 'read:integrations',
    input: z.strictObject({
      query: z.string().max(200).optional().describe('Words in names, lines and blueprints'),
      section: z.string().max(200).optional().describe('One of `sections` of the answer'),
    }),
    run: async ({ actor }, filter) => {
      assertMayRead(actor);
      return { sections: catalogue.sections, sourceTypes: catalogue.list(filter) };
    },
  });
}

function checkTool(deps: StartDeps): ToolDeclaration {
  return tool({
    ...shared,
    name: 'check_source',
    title: 'Check a source',
    description:
      'Tries a saved source with its own settings and secrets: whether its address answers, its credentials are good and there is something to read. Each check that failed says what to do. Nothing is read into the catalog.',
    scope: 'create:integrations',
    input: z.strictObject({ source }),
    run: async ({ actor }, { source: identifier }) => {
      const { type } = await getStoredSource(deps.database, actor, identifier);
      const asked = { type, settings: {}, secrets: {}, source: identifier };
      const { ok, checks, sample } = await checkSource(deps, actor, asked);
      return { ok, checks, total: sample.total };
    },
  });
}

function planTool(deps: StartDeps): ToolDeclaration {
  return tool({
    ...shared,
    name: 'plan_source_run',
    title: 'Plan a sync of a source',
    description:
      'Reads a source and works out what a sync would create, change and delete, without writing any of it. It answers at once: call it again with `sync` of the answer until `status` is neither waiting nor running. `nextChange` and `nextProblem` lead to the next page.',
    scope: 'update:integrations',
    input: z.strictObject({
      source,
      sync: z.string().min(1).max(100).optional().describe('A plan that was begun, to see how far it is'),
      changesAfter: z.number().int().min(0).default(0).describe('`nextChange` of the answer before'),
      problemsAfter: z.number().int().min(0).default(0).describe('`nextProblem` of the answer before'),
    }),
    run: async ({ actor }, { source: identifier, sync: id, changesAfter, problemsAfter }) => {
      if (id === undefined) return { sync: presentSync(await startSync(deps, actor, identifier, 'plan')) };
      const sync = await getSync(deps, actor, identifier, id);
      const { changes, next } = await listSyncChanges(deps, actor, sync, { after: changesAfter, limit });
      const found = await listSyncProblems(deps, actor, sync, { after: problemsAfter, limit });
      return { sync: presentSync(sync), changes, nextChange: next, problems: found.problems, nextProblem: found.next };
    },
  });
}
