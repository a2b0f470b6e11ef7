import type { BlueprintBody } from '@portolan/contract/blueprints';
import { evalBlueprints } from '@portolan/contract/evaluation';
import { blueprintsOfEvaluation } from './eval-blueprints.ts';
import { type ExampleCase, examplesFor } from './example-cases.ts';

/** What `eval init` did with one blueprint or case. */
export interface InitStep {
  readonly what: string;
  readonly made: boolean;
}

/** The requests that setting up takes. */
export interface SetupApi {
  listBlueprints(): Promise<readonly { readonly identifier: string }[]>;
  createBlueprint(body: BlueprintBody): Promise<unknown>;
  /** False if there is one of this identifier. */
  createCase(blueprint: string, body: ExampleCase): Promise<boolean>;
}

/** Makes the blueprints and example cases that are not there; what is there is left as it is. */
export async function initEvaluation(api: SetupApi): Promise<InitStep[]> {
  const blueprints = await api.listBlueprints();
  const known = new Set(blueprints.map(({ identifier }) => identifier));
  const steps: InitStep[] = [];
  for (const blueprint of blueprintsOfEvaluation) {
    const made = !known.has(blueprint.identifier);
    if (made) await api.createBlueprint(blueprint);
    steps.push({ what: `blueprint ${blueprint.identifier}`, made });
  }
  for (const example of examplesFor(known))
    steps.push({ what: `case ${example.identifier}`, made: await api.createCase(evalBlueprints.cases, example) });
  return steps;
}
