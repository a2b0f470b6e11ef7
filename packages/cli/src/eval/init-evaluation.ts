import { createBlueprint, listBlueprints } from '@portolan/contract/blueprints';
import { ApiError, type Client } from '@portolan/contract/client';
import { createEntity } from '@portolan/contract/entities';
import { evalBlueprints } from '@portolan/contract/evaluation';
import { blueprintsOfEvaluation } from './eval-blueprints.ts';
import { type ExampleCase, examplesFor } from './example-cases.ts';

/** What `eval init` did with one blueprint or case. */
export interface InitStep {
  readonly what: string;
  readonly made: boolean;
}

/** Makes the blueprints and example cases that are not there; what is there is left as it is. */
export async function initEvaluation(client: Client): Promise<InitStep[]> {
  const { blueprints } = await client.call(listBlueprints);
  const known = new Set(blueprints.map(({ identifier }) => identifier));
  const steps: InitStep[] = [];
  for (const blueprint of blueprintsOfEvaluation) {
    const made = !known.has(blueprint.identifier);
    if (made) await client.call(createBlueprint, { body: blueprint });
    steps.push({ what: `blueprint ${blueprint.identifier}`, made });
  }
  for (const example of examplesFor(known))
    steps.push({ what: `case ${example.identifier}`, made: await create(client, example) });
  return steps;
}

/** @returns false if it is there already */
async function create(client: Client, body: ExampleCase): Promise<boolean> {
  try {
    await client.call(createEntity, { params: { blueprint_identifier: evalBlueprints.cases }, body });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.body?.error === 'identifier_taken') return false;
    throw error;
  }
}
