import { type Blueprint, listBlueprints } from '@portolan/contract/blueprints';
import type { Client } from '@portolan/contract/client';
import type { TransferFile, TransferProblem } from '@portolan/contract/transfer-file';
import type { Context } from '../context.ts';
import { adoptOwnership, type Note } from './adopt-ownership.ts';
import { applyImport } from './apply-import.ts';
import { createProgress, type ImportPlan, type ImportReport } from './import-report.ts';
import { orderEntities, type Relations } from './order-entities.ts';
import { type BlueprintPlan, planBlueprints } from './plan-blueprints.ts';
import { planEntities } from './plan-entities.ts';
import { missingForWorkflows, type PortalStep, planPortal } from './portal-records.ts';

interface ImportOptions {
  readonly isDryRun: boolean;
  readonly keepsGoing: boolean;
  /** Told before anything is written. */
  readonly onPlan: (plan: ImportPlan, notes: readonly Note[]) => void;
}

/** Plans and writes the records of a file; with problems, nothing is written unless `keepsGoing`. */
export async function importFile(
  client: Client,
  file: TransferFile,
  context: Context,
  { isDryRun, keepsGoing, onPlan }: ImportOptions,
): Promise<ImportReport> {
  const existing = (await client.call(listBlueprints)).blueprints as Blueprint[];
  const { blueprints: read, notes } = await adoptOwnership(client, file, existing);
  const blueprints = planBlueprints(read, existing);
  const relations = collectRelations(existing, blueprints);
  const order = orderEntities(file.entities, relations);
  const changing = new Set([...blueprints.create, ...blueprints.update].map(({ identifier }) => identifier));
  const sending = (verb: string) => ({
    wait: context.wait,
    onProgress: createProgress(context, verb, file.entities.length),
  });
  const { problems: found, ...entities } = await planEntities(client, order, relations, changing, sending('checked'));
  const portal = await planPortal(client, file);
  const workflows = await missingForWorkflows(client, file, portal);
  const said = [...notes, ...workflows.notes];
  const plan = { blueprints: listPlanNames(blueprints), entities, ...portalPlan(portal) };
  onPlan(plan, said);
  const unreadable = [...file.problems, ...blueprints.problems];
  const planned = sorted([...unreadable, ...found, ...workflows.problems]);
  if (isDryRun || (planned.length > 0 && !keepsGoing)) {
    return { ok: planned.length === 0, plan, applied: null, problems: planned, notes: said };
  }
  const known = new Set(existing.map(({ identifier }) => identifier));
  const { problems: refused, ...applied } = await applyImport(
    client,
    blueprints,
    known,
    order,
    relations,
    portal,
    sending('written'),
  );
  const problems = sorted([...unreadable, ...refused]);
  return { ok: problems.length === 0, plan, applied, problems, notes: said };
}

function sorted(problems: readonly TransferProblem[]): TransferProblem[] {
  return problems.toSorted((left, right) => left.line - right.line);
}

/** The relations after the import: existing ones overridden by those of the file. */
function collectRelations(existing: readonly Blueprint[], { create, update }: BlueprintPlan): Relations {
  const map = new Map(existing.map(({ identifier, relations }) => [identifier, relations ?? {}]));
  for (const { identifier, body } of [...create, ...update]) {
    map.set(identifier, { ...map.get(identifier), ...body.relations });
  }
  return map;
}

/** The plan by kind; absent if the file has no portal records. */
function portalPlan(steps: readonly PortalStep[]): Pick<ImportPlan, 'portal'> {
  if (steps.length === 0) return {};
  const names = (plannedChange: PortalStep['plannedChange']) =>
    steps
      .filter((step) => step.plannedChange === plannedChange)
      .map(({ kind, record }) => `${kind} ${record.identifier}`);
  return { portal: { create: names('create'), update: names('update'), unchanged: names('unchanged') } };
}

function listPlanNames(plan: BlueprintPlan): ImportPlan['blueprints'] {
  const names = (part: keyof ImportPlan['blueprints']) => plan[part].map(({ identifier }) => identifier);
  return { create: names('create'), update: names('update'), unchanged: names('unchanged') };
}
